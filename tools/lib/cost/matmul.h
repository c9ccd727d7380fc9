/* Matrix products: operations and time. */
#ifndef MATMUL_H
#define MATMUL_H

#include "lib/record/cluster.h"

struct matmul {			/* (rows x depth) by (depth x columns), COUNT times */
	double rows, columns, depth, count;
	bool weightless;	/* weights are read elsewhere */
	bool grouped;		/* products of experts, in one launch */
	bool wide;		/* 16 bits, whatever the type of the other products */
	int module;		/* enum module; 0: not recomputed separately */
};

double matmul_flops(const struct matmul *);
/* Return the seconds of all products at PEAK TFLOP/s. GRADIENT: bytes per number of a weight gradient. */
double matmul_forward(const struct cluster *, double peak, const struct matmul *);
double matmul_backward(const struct cluster *, double peak, const struct matmul *, double gradient);

#endif
