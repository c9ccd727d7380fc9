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

/* A turn of one thread, of counted work: rounds of a search, or nodes of branch and bound. */
struct side {
	struct tempering *search;	/* either this */
	struct branch *branch;	/* or this */
	struct bounding *bounding;	/* or this, until the deadline, or in counted work */
	struct squeeze *squeeze;	/* or this */
	struct run_squeeze *runs;	/* or this */
	struct bottleneck *bottleneck;	/* before the search, which goes on from what it finds */
	double bottlenecks, until;	/* work for that, and when it ends, s of clock.h */
	long work;			/* rounds of a search, or nodes of branch and bound, at most */
	/*
	 * Of the bounding's ordered relaxation, 0: all of the bounding, until the deadline; or of branch and bound, in
	 * the unit of branch_work().
	 */
	double operations;
	double deadline;
	bool proved;		/* what branch_run() returned */
};

void take_turns(struct side *, int n);

#endif
