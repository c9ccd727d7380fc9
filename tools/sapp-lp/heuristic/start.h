/*
 * Start: a first plan that fits; or, where none is found, a plan that exceeds the limits by little and a bound on
 * that.
 */
#ifndef START_H
#define START_H

#include "nearest.h"

/* Plans that fit, of different layouts. */
struct starts {
	int n;
	struct candidate *plan;	/* [n], the shortest step first */
};

void starts_free(struct starts *);
/*
 * A plan that fits, its stages about equally busy. False when none was found by DEADLINE (s of clock.h): OUT is then
 * a plan that exceeds the limits as little as was found, every layer recomputed as far as it goes, and larger
 * contents may have been added to the problem, see problem_widen(). OTHERS, to be freed: more that fit, none of them
 * shorter.
 */
bool start_find(struct problem *, double deadline, struct candidate *out, struct excess *, struct starts *others);

#endif
