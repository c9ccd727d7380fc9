/* Start: a first plan that fits, or the least excess over the limits when none does. */
#ifndef START_H
#define START_H

#include "sapp-lp/exact/patterns.h"

#define EXCESS_CLOSE 1e-6	/* MB, between a proof and a plan: they say the same */

struct excess {
	double mb;		/* by which every limit must be raised for a plan to fit; INFINITY: lists can say none */
	double at_least;	/* for any plan to fit; -INFINITY: not known */
	int stage;		/* the one that the plan exceeds most */
};

/*
 * A plan that fits, its stages' work about even. False when none was found: OUT is then the one that exceeds its limits
 * least, or as little as was found by the DEADLINE (s of clock.h), every layer recomputed as far as it goes, and the
 * problem is left with more contents than before, problem_widen().
 */
bool start_find(struct problem *, double deadline, struct candidate *out, struct excess *);

#endif
