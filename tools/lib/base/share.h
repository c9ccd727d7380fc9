/* Files that come with the tools: drawing programs, clusters. */
#ifndef SHARE_H
#define SHARE_H

extern const char *share_directory;	/* -share */

/* NAME in the directory of -share or $SAPP_SHARE, beside the running tool, or where it was installed; to be freed. */
char *share_path(const char *name);

#endif
