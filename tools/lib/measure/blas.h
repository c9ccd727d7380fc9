/*
 * Thread control for BLAS below LAPACK. OpenBLAS uses all processors for even the smallest matrices; on a loaded
 * machine its spinning threads take hundreds of times longer than the work.
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
