/*
 * Repair: move layers between pieces until a plan fits, or nearly. The same start leads to the same plans for all
 * limits with equal differences, so that a result for some limits is found again when asked for directly.
 */
#ifndef REPAIR_H
#define REPAIR_H

#include "sapp-lp/model/problem.h"

/*
 * Return the MB by which the worst stage exceeds its limit with everything recomputed (negative: free); *STAGE: that
 * stage.
 */
double overload(const struct problem *, const struct candidate *, int *stage);

struct repair;

/* The mix of a content in a piece, instead of the mix with least memory; -1 if the content is forbidden. */
struct allowed {
	int (*mix)(void *with, int piece, int content);
	void *with;
};

/* Start from LAYERS[pieces]. ALLOWED NULL: no restriction. The problem and ALLOWED's data must outlive it. */
struct repair *repair_new(const struct problem *, const int *layers, const struct allowed *);
/*
 * Make up to MOVES more moves, until an excess of ENOUGH MB or less, or DEADLINE (s of clock.h) after a fixed minimum
 * of work.
 */
void repair_run(struct repair *, long moves, double enough, double deadline);
/*
 * Get the best plan found in OUT and return its overload(). Return INFINITY, with OUT unset, if contents cannot hold
 * the initial layers.
 */
double repair_best(const struct repair *, struct candidate *out, int *stage);
void repair_free(struct repair *);

/* Repair a plan, whose layers may be out of order, with at most MOVES; return like repair_best(). */
double repair(const struct problem *, long moves, double deadline, struct candidate *, int *stage);

#endif
