/* Planner: from a problem to the best plan found and a proof of its quality. See ARCHITECTURE.md. */
#ifndef PLANNER_H
#define PLANNER_H

#include <stdint.h>

#include "sapp-lp/external/solver_process.h"
#include "answer.h"

struct effort {
	double seconds;		/* maximum planning time */
	double cutoff;		/* ms: planning ends when the bound reaches it; 0: none */
	double gap;		/* step time / lower bound - 1 at which planning ends */
	uint64_t seed;
	bool progress;		/* print progress on stderr */
	bool proof_only;	/* search for no better plans: for tests of the proof */
	const struct candidate *known;	/* a fitting plan to start with; NULL: none */
	double bound;		/* ms, a known lower bound on every step; 0: none */
	struct solver *solver;	/* the solver of -solver; NULL: own search and proof */
	bool paths;		/* whether to return the paths of the bound */
};

/* Plan. If no plan fits, add larger contents to the problem, see problem_widen(). */
struct answer planner_solve(struct problem *, const struct effort *);

#endif
