/*
 * Relaxation: the planning problem with fractions of layers.  The path rows of the model programme that
 * matter are found by simulating its solution and adding the critical path until none is longer than z.
 */
#ifndef RELAXATION_H
#define RELAXATION_H

#include "path_cuts.h"

enum relax_status { RELAX_SOLVED, RELAX_INFEASIBLE, RELAX_STOPPED };

struct relaxed {
	enum relax_status status;
	double bound;		/* ms: no plan is shorter. From the multipliers, so that rounding in the solver cannot spoil it */
	double *cost;		/* [slots], ms, of the fractional solution */
	double *layers;		/* [pieces] */
	struct visits weight;	/* the paths combined by their multipliers, which add up to 1 */
	struct path_cuts paths;	/* rows at the end */
	int rounds;
};

/* Until no path is longer than z by more than a relative 1e-7, or DEADLINE (seconds, clock.h) has passed. */
struct relaxed relaxation_solve(const struct problem *, double deadline);
void relaxed_free(struct relaxed *);

#endif
