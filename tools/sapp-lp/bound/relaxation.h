/*
 * Relaxation: a lower bound on the step time from the linear programme of lp_model.h, in which counts may be fractional
 * and out of order. Rows are generated: the programme's solution is simulated and its critical path added, for some
 * rounds.
 */
#ifndef RELAXATION_H
#define RELAXATION_H

#include "path_cuts.h"

struct relaxed {
	double bound;		/* ms, below every plan, regardless of solver tolerances; 0: gave up */
	struct visits weight;	/* mean of paths that proves the bound; without a bound, mean of the first paths */
	double *price;		/* [memory rows of all stages], ms per MB, multipliers of that proof */
	struct path_cuts paths;	/* paths of the programme; empty if it was not solved */
};

/*
 * Run up to ROUNDS, until no path is longer than the programme's value, or DEADLINE (s of clock.h). The first paths
 * take at most half of that time.
 */
struct relaxed relaxation_solve(const struct problem *, int rounds, double deadline);
void relaxed_free(struct relaxed *);

#endif
