/*
 * Relaxation: a lower bound on the step time from the linear programme of lp_model.h, in which numbers of layers may be
 * fractional and layers out of order. Rows are generated: in each round the programme's solution is simulated, and its
 * critical path is added.
 */
#ifndef RELAXATION_H
#define RELAXATION_H

#include "path_cuts.h"

struct relaxed {
	double bound;		/* ms, below every plan, whatever the solver's tolerances; 0: no bound was found */
	struct visits weight;	/* mean of paths that proves the bound; without a bound, the mean of the first paths */
	double *price;		/* [memory rows of all stages], ms per MB, multipliers of the same proof */
	struct path_cuts paths;	/* paths of the programme; empty if it was not solved */
};

/*
 * Solve in up to ROUNDS rounds. End earlier when no path is longer than the programme's value, or at DEADLINE (s of
 * clock_now()). Finding the first paths takes at most half of that time.
 */
struct relaxed relaxation_solve(const struct problem *, int rounds, double deadline);
void relaxed_free(struct relaxed *);

#endif
