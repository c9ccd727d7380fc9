/*
 * Turns: work of the planner's threads in parallel. Results are exchanged only between turns, so that a question and
 * seed give the same answer at any machine speed, unless the deadline ends it.
 */
#ifndef TURN_H
#define TURN_H

#include "sapp-lp/heuristic/bottleneck.h"

/* A turn of one thread: a task of counted WORK, until a deadline: s of clock.h. */
struct side {
	void (*task)(struct side *);	/* one of the tasks below */
	void *on;
	double work, deadline;
	int nodes;			/* maximum number of nodes of branch and bound */
	struct bottleneck *bottleneck;	/* to run before a search, which continues from its result; NULL: none */
	double bottlenecks, until;	/* work of the bottleneck search, and its deadline */
	bool proved;			/* result of branch_run() */
};

struct side side_new(void (*task)(struct side *), void *on, double work, double deadline);
void take_turns(struct side *, int n);

void task_search(struct side *);	/* struct tempering; rounds */
void task_branch(struct side *);	/* struct branch; units of branch_work() */
void task_relaxation(struct side *);	/* struct bounding, from its start; work in simulated operations */
void task_ordered(struct side *);	/* struct bounding, ordered relaxation; work in simulated operations */
void task_squeeze(struct side *);	/* struct squeeze; not counted */
void task_runs(struct side *);		/* struct run_squeeze; not counted */

#endif
