/* Drawn: steps whose micro-batches are drawn from what was measured. */
#ifndef DRAWN_H
#define DRAWN_H

#include "run.h"

struct drawn {
	double p10, p90;	/* ms, quantiles of the steps; 0: the order cannot run */
};

/* Leaves the run with the factors of the step that is nearest to the mean of all. */
struct drawn drawn_steps(struct run *, const struct schedule *);

#endif
