/* Find the files installed with the tools: drawing programs, clusters. */
#ifndef SHARE_H
#define SHARE_H

/* Return the path of NAME in $SAPP_SHARE, next to the running tool, or in the installation; caller frees. */
char *share_path(const char *name);

#endif
