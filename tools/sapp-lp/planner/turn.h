/*
 * Turns: what threads of the planner do side by side.  What they find is exchanged only between turns, so that the same
 * question and seed give the same answer however fast the machine is, unless the deadline ends it.
 */
#ifndef TURN_H
#define TURN_H

#include "sapp-lp/heuristic/bottleneck.h"

/* A turn of one thread: a task, of which WORK is counted, until a deadline: s of clock.h. */
struct side {
	void (*task)(struct side *);	/* one of those below */
	void *on;
	double work, deadline;
	int nodes;			/* of branch and bound, at most */
	struct bottleneck *bottleneck;	/* before a search, which goes on from what it finds; NULL: none */
	double bottlenecks, until;	/* work for that, and when it ends */
	bool proved;			/* what branch_run() returned */
};

struct side side_new(void (*task)(struct side *), void *on, double work, double deadline);
void take_turns(struct side *, int n);

void task_search(struct side *);	/* struct tempering; rounds */
void task_branch(struct side *);	/* struct branch; unit of branch_work() */
void task_relaxation(struct side *);	/* struct bounding, from its beginning; work as that of the next: */
void task_ordered(struct side *);	/* the same, its ordered relaxation; as long as so many operations */
void task_squeeze(struct side *);	/* struct squeeze; not counted */
void task_runs(struct side *);		/* struct run_squeeze; not counted */

#endif
