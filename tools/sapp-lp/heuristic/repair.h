/*
 * Repair: move layers between pieces until a plan fits, or nearly fits. A start leads to the same plans for all limits
 * with equal differences between stages. So if the limits are raised by the excess of a plan found here, a new search
 * finds the plan again.
 */
#ifndef REPAIR_H
#define REPAIR_H

#include "sapp-lp/model/problem.h"

/*
 * Return the MB by which the worst stage exceeds its limit with everything recomputed; negative: MB still free. *STAGE:
 * the worst stage.
 */
double overload(const struct problem *, const struct candidate *, int *stage);

struct repair;

/*
 * Restriction: the mix to use for a content in a piece, instead of the mix with the least memory; -1 if the content is
 * forbidden.
 */
struct allowed {
	int (*mix)(void *with, int piece, int content);
	void *with;
};

/*
 * Start from LAYERS[pieces]. ALLOWED: restriction, or NULL. The problem and the data of ALLOWED must outlive the
 * repair.
 */
struct repair *repair_new(const struct problem *, const int *layers, const struct allowed *);
/*
 * Make up to MOVES more moves. End earlier at an excess of at most ENOUGH MB, or at DEADLINE (s of clock_now()) after a
 * fixed minimum of work.
 */
void repair_run(struct repair *, long moves, double enough, double deadline);
/*
 * Get the best plan found in OUT and return its overload(). Return INFINITY, with OUT unset, if no contents have the
 * initial numbers of layers.
 */
double repair_best(const struct repair *, struct candidate *out, int *stage);
void repair_free(struct repair *);

/* Repair a plan, whose layers may be out of order, with at most MOVES moves. Return values as in repair_best(). */
double repair(const struct problem *, long moves, double deadline, struct candidate *, int *stage);

#endif
