/* Find files that are installed with the tools, such as drawing programs and clusters. */
#ifndef SHARE_H
#define SHARE_H

/* Return the path of NAME: in $SAPP_SHARE, next to the running tool, or in the installation. Caller frees. */
char *share_path(const char *name);

#endif
