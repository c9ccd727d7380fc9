/*
 * BLAS below LAPACK. OpenBLAS, where it is the system's, gives the smallest matrices to as many threads as there are
 * processors; they wait for each other spinning, on a loaded machine hundreds of times as long as the work takes.
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
