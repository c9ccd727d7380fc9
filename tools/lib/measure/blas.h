/*
 * Limit the BLAS below LAPACK to one thread. OpenBLAS uses all processors even for the smallest matrices. On a busy
 * machine its spinning threads take hundreds of times longer than the work itself.
 */
#ifndef BLAS_H
#define BLAS_H

#include <stddef.h>

extern void openblas_set_num_threads(int) __attribute__((weak));

static inline void
blas_one_thread(void)
{
	if (openblas_set_num_threads != NULL)
		openblas_set_num_threads(1);
}

#endif
