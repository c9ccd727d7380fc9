/*
 * Planner: from a problem to the best plan found and a proof of how good it is.  Who does what:
 *
 *   options, question   the command line, and every question it asks
 *   model/              one question: problem, evaluator (its operations in order, to simulate many plans), content
 *                       (the layers of a piece), pareto (how to recompute them), stage_settings (what a stage can
 *                       choose)
 *   heuristic/          plans: a first one (start, nearest, greedy, repair, recompute_greedy), better ones
 *                       (tempering, replica, path_model)
 *   bound/              what no plan can beat: the relaxation (lp_model, path_cuts), that with the layers in their
 *                       order (ordered, layer_prices, layout_dp, soft_paths), both in turn (bounding), and what none
 *                       fits into (capacity_bound)
 *   exact/              proof: patterns of each stage, where they leave borders between kinds of layers
 *                       (pattern_borders), and dynamic programming over them (stage_dp, dp_arc, pricing),
 *                       the master problem (master, columns), branch and bound (branch, node_bounds), patterns dropped
 *                       by contradiction (squeeze; of very many stages, run_squeeze)
 *   external/           another solver instead: solver_process, mip_model
 *   answer, verify      the plan and its bound as a record, checked by code of the library
 */
#ifndef PLANNER_H
#define PLANNER_H

#include <stdint.h>

#include "sapp-lp/external/solver_process.h"
#include "answer.h"

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
/* A lower bound on the step of every plan, ms, that takes no time to know. */
double planner_least(const struct problem *);

#endif
