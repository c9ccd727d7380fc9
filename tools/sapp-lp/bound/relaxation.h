/*
 * Relaxation: a lower bound on the step time from the linear programme of lp_model.h, in which counts of layers may be
 * fractions and need not be in the model's order. Rows are generated: the programme's solution is simulated, and its
 * critical path added, for some rounds.
 */
#ifndef RELAXATION_H
#define RELAXATION_H

#include "path_cuts.h"

struct relaxed {
	double bound;		/* ms, a lower bound on every plan, whatever the solver's tolerances; 0: it gave up */
	struct visits weight;	/* the mean of paths that proves it; without a bound, that of the first paths */
	double *price;		/* [rows of memory of all stages], ms per MB, the multipliers of that proof */
	struct path_cuts paths;	/* those of the programme; 0: it was not solved */
};

/*
 * Up to ROUNDS, until no path is longer than the programme's value, or until DEADLINE (s of clock.h). The first paths
 * take half of that time at most.
 */
struct relaxed relaxation_solve(const struct problem *, int rounds, double deadline);
void relaxed_free(struct relaxed *);

#endif
