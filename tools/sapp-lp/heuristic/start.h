/*
 * Start: find a first plan that fits; otherwise a plan with little excess over the limits, and a bound on the excess.
 */
#ifndef START_H
#define START_H

#include "nearest.h"

/* Fitting plans with different layouts. */
struct starts {
	int n;
	struct candidate *plan;	/* [n], sorted by step, shortest first */
};

void starts_free(struct starts *);
/*
 * Find a fitting plan with about equally busy stages. Return false if none was found by DEADLINE (s of clock_now()).
 * Then OUT is the plan with the least excess found, fully recomputed, and the problem may have got larger contents, see
 * problem_widen(). OTHERS (caller frees): more fitting plans, none of them shorter than OUT.
 */
bool start_find(struct problem *, double deadline, struct candidate *out, struct excess *, struct starts *others);

#endif
