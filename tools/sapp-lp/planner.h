/* Planner: from a problem to the best plan found and a proof of how good it is. */
#ifndef PLANNER_H
#define PLANNER_H

#include <stdint.h>

#include "lib/plan.h"
#include "solver.h"
#include "start.h"

struct effort {
	double seconds;		/* at most */
	double gap;		/* good enough: step time over lower bound, minus 1 */
	uint64_t seed;
	bool progress;		/* say on stderr how far it is */
	struct solver *solver;	/* NULL: our own search and proof */
};

struct answer {
	enum plan_status status;
	struct candidate best;	/* infeasible: the plan that comes nearest */
	double step_time;	/* ms; infeasible: INFINITY */
	double lower_bound;	/* ms, below every plan for this problem */
	double seconds;		/* that it took */
	struct excess excess;	/* infeasible: how far from fitting */
	struct paths paths;	/* of the rows that the bound is made of */
};

/* Where nothing fits, the problem is left with more contents than before, problem_raise(). */
struct answer planner_solve(struct problem *, const struct effort *);
double answer_gap(const struct answer *);	/* INFINITY: no bound */
void answer_free(struct answer *);

#endif
