/* Run work in parallel threads. */
#ifndef THREADS_H
#define THREADS_H

#include <stddef.h>

/*
 * Run WORK on each of N items of SIZE bytes, one thread per item; the caller's thread takes the first. Runs them one
 * after the other if threads cannot be created. Returns when all are done.
 */
void threads_run(void *(*work)(void *), void *item, size_t size, int n);

#endif
