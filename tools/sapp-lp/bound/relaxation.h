/*
 * Relaxation: the lower bound on the step time from the linear programme of lp_model.h, in which counts of layers may
 * be fractions and need not be in the model's order. Rows are generated: the programme's solution is simulated, and its
 * critical path added, until none is longer than z.
 */
#ifndef RELAXATION_H
#define RELAXATION_H

#include "path_cuts.h"

struct relaxation;		/* the programme, with the paths that were found so far */

struct relaxed {
	/* ms, a lower bound on every plan, by duality whatever the solver's tolerances */
	double bound;
	bool converged;		/* more rounds would not raise it */
	bool slow;		/* they would, but hardly: see relaxation_solve() */
	double *cost;		/* [slots], ms, of the fractional solution */
	double *layers;		/* [pieces][bodies], of the fractional solution */
	struct visits weight;	/* the mean of paths that proves the bound: convex combination by their multipliers */
	double *price;		/* [rows of memory of all stages], ms per MB, by the same multipliers */
	struct path_cuts paths;	/* rows of the programme in the end */
	int rounds;
	/* sum over the rounds of rows times columns, a measure of time that is the same every time */
	double work;
};

/* Paths to begin with are looked for until half of the time to DEADLINE (s of clock.h) is over. */
struct relaxation *relaxation_new(const struct problem *, double deadline);
/*
 * Until no path is longer than z by more than a relative 1e-7, the bound reaches ENOUGH, twice as many rounds have
 * raised it by less than the part SLOW of what is left to that, or DEADLINE.
 */
struct relaxed relaxation_solve(struct relaxation *, double enough, double slow, double deadline);
void relaxation_free(struct relaxation *);
void relaxed_free(struct relaxed *);

#endif
