/* Find the files installed with the tools: drawing programs, clusters. */
#ifndef SHARE_H
#define SHARE_H

extern const char *share_directory;	/* -share */

/*
 * Return the path of NAME in the directory of -share or $SAPP_SHARE, next to the running tool, or in the installation;
 * caller frees.
 */
char *share_path(const char *name);

#endif
