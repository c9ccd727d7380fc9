/* Text written into memory through a FILE. */
#ifndef MEMSTREAM_H
#define MEMSTREAM_H

#include <stdio.h>

/*
 * Until memstream_close(), *TEXT and *SIZE mean nothing; then *TEXT, to be freed, has SIZE bytes and a NUL behind
 * them. Exits when memory runs out, at any byte.
 */
FILE *memstream_open(char **text, size_t *size);
void memstream_close(FILE *);

#endif
