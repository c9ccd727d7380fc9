/* Sample steps with random micro-batch times from measurements. */
#ifndef DRAWN_H
#define DRAWN_H

#include "run.h"

struct drawn {
	double p10, p90;	/* ms, quantiles of the steps; 0: the order cannot run */
};

/* Simulate sampled steps. Leaves the run with the factors of the step nearest to the mean. */
struct drawn drawn_steps(struct sim_run *, const struct schedule *);

#endif
