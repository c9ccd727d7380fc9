/*
 * Relaxation: a lower bound on the step time from the linear programme of lp_model.h, in which counts of layers may be
 * fractions and need not be in the model's order. Rows are generated: the programme's solution is simulated, and its
 * critical path added, for some rounds.
 */
#ifndef RELAXATION_H
#define RELAXATION_H

#include "path_cuts.h"

struct relaxed {
	/* ms, a lower bound on every plan, by duality whatever the solver's tolerances; 0: the solver gave up */
	double bound;
	struct visits weight;	/* the mean of paths that proves it; where there is none, all of them alike */
	double *price;		/* [rows of memory of all stages], ms per MB, by the same multipliers */
	struct path_cuts paths;	/* those of the programme; 0: it was not solved */
};

/*
 * ROUNDS, or until no path is longer than the programme's or DEADLINE (s of clock.h); first paths are looked for until
 * half of the time to that is over.
 */
struct relaxed relaxation_solve(const struct problem *, int rounds, double deadline);
void relaxed_free(struct relaxed *);

#endif
