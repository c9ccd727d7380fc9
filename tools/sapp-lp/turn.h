/*
 * Turns: what threads of the planner do side by side.  What they find is exchanged only between turns, so that the same
 * question and seed give the same answer however fast the machine is, unless the deadline ends it.
 */
#ifndef TURN_H
#define TURN_H

#include "sapp-lp/bound/bounding.h"
#include "sapp-lp/exact/branch.h"
#include "sapp-lp/exact/run_squeeze.h"
#include "sapp-lp/exact/squeeze.h"
#include "sapp-lp/heuristic/bottleneck.h"
#include "sapp-lp/heuristic/tempering.h"

/* A turn of one thread, of counted work, until a deadline: s of clock.h. Made by one of the functions below. */
struct side {
	void (*run)(struct side *);
	void *on;
	double work, deadline;
	long nodes;			/* of branch and bound */
	struct bottleneck *bottleneck;	/* before a search, which goes on from what it finds; NULL: none */
	double bottlenecks, until;	/* work for that, and when it ends */
	bool proved;			/* what branch_run() returned */
};

struct side side_search(struct tempering *, double rounds, double deadline);
void side_widen(struct side *search, struct bottleneck *, double work, double until);
/* WORK in the unit of branch_work(). */
struct side side_branch(struct branch *, long nodes, double work, double deadline);
struct side side_bounding(struct bounding *, double deadline);
/* Its ordered relaxation alone, for about as long as so many operations take to simulate. */
struct side side_ordered(struct bounding *, double operations, double deadline);
struct side side_squeeze(struct squeeze *);
struct side side_runs(struct run_squeeze *, double deadline);

void take_turns(struct side *, int n);

#endif
