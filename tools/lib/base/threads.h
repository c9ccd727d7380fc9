/* Threads: work done at the same time. */
#ifndef THREADS_H
#define THREADS_H

#include <stddef.h>

/*
 * WORK on each of N items of SIZE bytes, on a thread each, the first on the caller's; where no thread can be had,
 * one after the other. Returns when all is done.
 */
void threads_run(void *(*work)(void *), void *item, size_t size, int n);

#endif
