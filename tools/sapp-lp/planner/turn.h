/*
 * Turns: periods of work in which the planner's threads run in parallel. Results are exchanged only between turns. So a
 * question and a seed give the same answer at any speed of the machine, unless the deadline ends the planning.
 */
#ifndef TURN_H
#define TURN_H

#include "sapp-lp/heuristic/bottleneck.h"

/* The turn of one thread: a task with a counted amount of WORK, until a deadline (s of clock_now()). */
struct side {
	void (*task)(struct side *);	/* one of the tasks below */
	void *on;
	double work, deadline;
	int nodes;			/* maximum number of nodes of branch and bound */
	struct bottleneck *bottleneck;	/* run before a search, which continues from its result; NULL: none */
	double bottlenecks, until;	/* work of the bottleneck search, and its deadline */
	bool proved;			/* result of branch_run() */
};

struct side side_new(void (*task)(struct side *), void *on, double work, double deadline);
void take_turns(struct side *, int n);

void task_search(struct side *);	/* continues struct tempering; work in rounds */
void task_branch(struct side *);	/* continues struct branch; work in units of branch_work() */
void task_relaxation(struct side *);	/* starts struct bounding with the relaxation; work in simulated operations */
/* continues the ordered relaxation of struct bounding; work in simulated operations */
void task_ordered(struct side *);
void task_squeeze(struct side *);	/* runs struct squeeze; work is not counted */
void task_runs(struct side *);		/* runs struct run_squeeze; work is not counted */

#endif
