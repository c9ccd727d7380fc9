/*
 * Relaxation: the lower bound on the step time from the linear programme of lp_model.h, in which counts of layers may
 * be fractions and need not be in the model's order.  Rows are generated: the programme's solution is simulated, and
 * its critical path added, until none is longer than z.
 */
#ifndef RELAXATION_H
#define RELAXATION_H

#include "path_cuts.h"

struct relaxed {
	double bound;	/* ms, a lower bound on every plan, proved by duality whatever the solver's tolerances are */
	double *cost;		/* [slots], ms, of the fractional solution */
	double *layers;		/* [pieces], of the fractional solution */
	struct visits weight;	/* the mean of paths that proves the bound: convex combination by their multipliers */
	struct path_cuts paths;	/* of the last programme */
	int rounds;
};

/* Until no path is longer than z by more than a relative 1e-7, or DEADLINE (s of clock.h). */
struct relaxed relaxation_solve(const struct problem *, double deadline);
void relaxed_free(struct relaxed *);

#endif
