/*
 * Planner: from a problem to the best plan found and a proof of how good it is.  Who does what:
 *
 *   options, question   the command line, and every question it asks
 *   model/              one question: problem, evaluator (its operations in order, to simulate many plans), content
 *                       (the layers of a piece), pareto (how to recompute them), stage_settings (what a stage can choose)
 *   heuristic/          plans: a first one (start, greedy, repair, recompute_greedy), better ones (tempering)
 *   bound/              what no plan can beat: the relaxation (lp_model, path_cuts), and what no plan fits into
 *                       (capacity_bound)
 *   exact/              proof: patterns of each stage and dynamic programming over them (stage_dp, dp_arc, pricing),
 *                       the master problem (master, columns), branch and bound (branch, node_bounds)
 *   external/           another solver instead: solver_process, mip_model
 *   answer, verify      the plan as a record, checked by code of the library
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
	struct path_cuts paths;	/* of the rows that the bound is made of */
};

/* Where nothing fits, the problem is left with more contents than before, problem_raise(). */
struct answer planner_solve(struct problem *, const struct effort *);
double answer_gap(const struct answer *);	/* INFINITY: no bound */
void answer_free(struct answer *);

#endif
