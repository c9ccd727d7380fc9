/* Planning: one question being planned, what its searches and its proof share. */
#ifndef PLANNING_H
#define PLANNING_H

#include "sapp-lp/bound/bounding.h"
#include "sapp-lp/exact/branch.h"
#include "sapp-lp/exact/run_squeeze.h"
#include "sapp-lp/heuristic/start.h"
#include "sapp-lp/heuristic/tempering.h"
#include "planner.h"
#include "turn.h"

enum { SEARCHES = 2 };		/* each on a thread */

struct planning {
	const struct problem *p;
	const struct effort *effort;
	double begun, deadline, shown;
	struct settings_cache cache;
	struct tempering *search[SEARCHES];
	int searches;		/* of them; none where only the proof is to work */
	struct bottleneck *bottleneck;	/* NULL: there is nothing in it */
	struct run_squeeze *runs;	/* the same */
	struct starts starts;		/* other plans to begin with */
	struct answer answer;
};

/* ms: what plans must be below to matter. */
double planning_horizon(const struct planning *);
bool planning_time_left(const struct planning *);
/* Between turns: the best plan goes to all sides, the bound of BRANCH (NULL: none) into the answer. */
void planning_exchange(struct planning *, struct branch *);
/* Where progress is asked for: a line of what it is at and what is known, now and then; */
void planning_show(struct planning *, const char *what);
/* of what is being done, or why it ends; */
void planning_tell(const struct planning *, const char *what, const char *why);
/* how many plans the searches simulated, and operations a second of one thread. */
void planning_show_speed(const struct planning *);

#endif
