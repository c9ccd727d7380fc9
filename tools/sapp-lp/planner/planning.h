/* Planning: the state of a question, shared by its searches and its proof. */
#ifndef PLANNING_H
#define PLANNING_H

#include "sapp-lp/bound/bounding.h"
#include "sapp-lp/exact/branch.h"
#include "sapp-lp/exact/run_squeeze.h"
#include "sapp-lp/heuristic/start.h"
#include "sapp-lp/heuristic/tempering.h"
#include "planner.h"
#include "turn.h"

enum { SEARCHES = 2 };		/* one thread each */

struct planning {
	const struct problem *p;
	const struct effort *effort;
	double begun, deadline, shown;
	struct settings_cache cache;
	struct tempering *search[SEARCHES];
	int searches;		/* number of searches; 0: only the proof runs */
	struct bottleneck *bottleneck;	/* NULL: not useful for the question */
	struct run_squeeze *runs;	/* NULL: not useful for the question */
	struct starts starts;		/* other initial plans that fit */
	struct answer answer;
};

/* Return the horizon, ms: only shorter plans matter. */
double planning_horizon(const struct planning *);
bool planning_time_left(const struct planning *);
/*
 * Exchange results between turns: pass the best plan to all searches and proofs, and the bound of BRANCH (NULL: none)
 * to the answer.
 */
void planning_exchange(struct planning *, struct branch *);
/* If progress is requested, print periodically WHAT the planner does, with its best step and bound. */
void planning_show(struct planning *, const char *what);
/* If progress is requested, print the phase WHAT of the planning, and the details WHY. */
void planning_tell(const struct planning *, const char *what, const char *why);
/*
 * If progress is requested, print the number of plans that the searches simulated, and the operations per second and
 * thread.
 */
void planning_show_speed(const struct planning *);

#endif
