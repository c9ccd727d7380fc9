/*
 * Repair: layers moved from piece to piece until a plan fits, or exceeds its limits by little.  The same start leads to
 * the same plans whatever the limits, as long as their differences are the same: what is found to work for some limits
 * is found again when it is asked for.
 */
#ifndef REPAIR_H
#define REPAIR_H

#include "sapp-lp/model/problem.h"

/*
 * MB by which the worst stage exceeds its limit with everything recomputed (negative: room left); *STAGE is that
 * stage.
 */
double overload(const struct problem *, const struct candidate *, int *stage);

struct repair;

/* The mix of a content in a piece, instead of the one that takes least memory; -1: it must not be there. */
struct allowed {
	int (*mix)(void *with, int piece, int content);
	void *with;
};

/* From LAYERS[pieces] on; ALLOWED, or NULL: all are. The problem, and what it is with, must outlive it. */
struct repair *repair_new(const struct problem *, const int *layers, const struct allowed *);
/*
 * So many moves more, until a plan exceeds by ENOUGH MB or less, or DEADLINE (s of clock.h), but not before a fixed
 * amount of work.
 */
void repair_run(struct repair *, long moves, double enough, double deadline);
/* The best plan met, and its overload(). INFINITY: lists cannot say the layers that it began with; OUT is not set. */
double repair_best(const struct repair *, struct candidate *out, int *stage);
void repair_free(struct repair *);

/* So many MOVES at most until the plan fits, whose layers need not be in the model's order before; as repair_best(). */
double repair(const struct problem *, long moves, double deadline, struct candidate *, int *stage);

#endif
