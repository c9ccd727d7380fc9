/* Write text into memory through a FILE. */
#ifndef MEMSTREAM_H
#define MEMSTREAM_H

#include <stdio.h>

/*
 * Open a stream. After memstream_close() *TEXT has *SIZE bytes and a final NUL. Caller frees *TEXT. Exit if memory runs
 * out.
 */
FILE *memstream_open(char **text, size_t *size);
void memstream_close(FILE *);

#endif
