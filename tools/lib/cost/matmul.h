/* Matrix products: arithmetic operations and time. */
#ifndef MATMUL_H
#define MATMUL_H

#include "lib/record/cluster.h"

struct matmul {			/* COUNT products of (rows x depth) by (depth x columns) */
	double rows, columns, depth, count;
	bool weightless;	/* weights are not read from memory for this product */
	bool grouped;		/* products of routed experts, in one kernel */
	bool wide;		/* in 16 bits, even if other products use fewer */
	int module;		/* enum module that recomputes it; 0: none */
};

double matmul_flops(const struct matmul *);
/* Return the seconds of all COUNT products at PEAK TFLOP/s. GRADIENT: bytes per number of a weight gradient. */
double matmul_forward(const struct cluster *, double peak, const struct matmul *);
double matmul_backward(const struct cluster *, double peak, const struct matmul *, double gradient);

#endif
