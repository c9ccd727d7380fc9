/*
 * Planner: from a problem to the best plan found and a proof of how good it is.  Who does what here:
 *
 *   asked, question           the options, and every question they ask
 *   problem                   one of them: order (its operations), mix and front (what a piece can hold),
 *                             menu (what a stage can choose from)
 *   start, deal, repair       a plan that fits, or one that nearly does
 *   lack                      what no plan fits into
 *   search, fit               better plans
 *   relax, linear, paths      a bound over fractions of layers
 *   catalog, offer, price     a bound over whole settings of each stage, by dynamic programming
 *   master, pool              that bound raised by rows and columns
 *   branch, box               what is left of the gap closed
 *   consult, solver, integer  another solver instead
 *   answer                    the plan as a record, checked
 *   threads, clock            work at the same time, and until when
 */
#ifndef PLANNER_H
#define PLANNER_H

#include <stdint.h>

#include "lib/record/plan.h"
#include "sapp-lp/external/solver_process.h"
#include "sapp-lp/heuristic/start.h"

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
