/* Matrix products: operations and time. */
#ifndef MATMUL_H
#define MATMUL_H

#include "lib/record/cluster.h"

struct matmul {			/* (rows x depth) by (depth x columns), COUNT times */
	double rows, columns, depth, count;
	bool weightless;	/* its weights are not read: they are counted elsewhere */
	bool grouped;		/* of experts, launched together */
	bool wide;		/* of 16 bits whatever others are */
	int module;		/* which it belongs to, enum module; 0: none that is recomputed alone */
};

double matmul_flops(const struct matmul *);
/* Seconds of all of them at PEAK TFLOP/s. GRADIENT: bytes of a weight's gradient. */
double matmul_forward(const struct cluster *, double peak, const struct matmul *);
double matmul_backward(const struct cluster *, double peak, const struct matmul *, double gradient);

#endif
