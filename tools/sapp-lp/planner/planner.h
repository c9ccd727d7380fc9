/*
 * Planner: from a problem to the best plan found and a proof of how good it is.  ARCHITECTURE.md says who does what.
 */
#ifndef PLANNER_H
#define PLANNER_H

#include <stdint.h>

#include "sapp-lp/answer.h"
#include "sapp-lp/external/solver_process.h"

struct effort {
	double seconds;		/* at most */
	double cutoff;		/* ms: a bound that is not below it ends the planning; 0: none */
	double gap;		/* at which to stop: step time / lower bound - 1 */
	uint64_t seed;
	bool progress;		/* lines on stderr */
	bool proof_only;	/* no search for better plans: what the proof finds on its own, for tests */
	const struct candidate *known;	/* a plan that fits, to begin with; NULL: none is known */
	double bound;		/* ms, known to be below every plan's step; 0: none is */
	struct solver *solver;	/* of -solver; NULL: search and proof of our own */
	bool paths;		/* the answer's are asked for */
};

/* Where no plan fits, larger contents are added to the problem, see problem_widen(). */
struct answer planner_solve(struct problem *, const struct effort *);

#endif
