/* Work in parallel threads. */
#ifndef THREADS_H
#define THREADS_H

#include <stddef.h>

/*
 * Call WORK for each of N items of SIZE bytes, one thread per item, and return when all are done. The thread of the
 * caller runs the first item. If threads cannot be created, run the items one after the other.
 */
void threads_run(void *(*work)(void *), void *item, size_t size, int n);

#endif
