/* Planner: from a problem to the best plan found and a proof of its quality. See ARCHITECTURE.md. */
#ifndef PLANNER_H
#define PLANNER_H

#include <stdint.h>

#include "sapp-lp/external/solver_process.h"
#include "answer.h"

struct effort {
	double seconds;		/* maximum */
	double cutoff;		/* ms: planning ends when the bound is not below it; 0: none */
	double gap;		/* at which to stop: step time / lower bound - 1 */
	uint64_t seed;
	bool progress;		/* lines on stderr */
	bool proof_only;	/* no search for better plans: for tests of the proof */
	const struct candidate *known;	/* a fitting plan to start with; NULL: none */
	double bound;		/* ms, a known lower bound on every step; 0: none */
	struct solver *solver;	/* the solver of -solver; NULL: own search and proof */
	bool paths;		/* return the paths */
};

/* If no plan fits, adds larger contents to the problem, see problem_widen(). */
struct answer planner_solve(struct problem *, const struct effort *);

#endif
