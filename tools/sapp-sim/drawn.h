/* Sampled steps: the times of their micro-batches are drawn at random from measurements. */
#ifndef DRAWN_H
#define DRAWN_H

#include "run.h"

struct drawn {
	double p10, p90;	/* ms, quantiles over the steps; 0: the order cannot run */
};

/* Simulate sampled steps. The run is left with the factors of the step nearest to the mean. */
struct drawn drawn_steps(struct sim_run *, const struct schedule *);

#endif
