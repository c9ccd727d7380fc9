/*
 * Bounding: the lower bounds that need no list of patterns: the relaxation, then the ordered relaxation, which begins
 * with the multipliers of the first.
 */
#ifndef BOUNDING_H
#define BOUNDING_H

#include "ordered.h"
#include "relaxation.h"

struct bounding {
	const struct problem *p;
	struct relaxed relaxed;
	struct ordered *ordered;	/* NULL: it does not apply, see ordered_new() */
	double horizon;			/* ms: only plans below it matter; to be set before each run */
};

struct bounding bounding_new(const struct problem *);
void bounding_free(struct bounding *);
/* Whether the relaxation is solved: not for very many stages of one chunk, where run_squeeze.h has a better bound. */
bool bounding_can(const struct problem *);
void bounding_begin(struct bounding *, double deadline);	/* solve the relaxation, if it can */
bool bounding_left(const struct bounding *);	/* whether the ordered relaxation could raise its bound */
bool bounding_slow(const struct bounding *);	/* and whether its last rounds hardly did */
/* Run that one for about as long as OPERATIONS take to simulate: counted work; until DEADLINE (s of clock.h). */
void bounding_run(struct bounding *, double operations, double deadline);
/* Where branch and bound begins: the best bound. */
struct root {
	double bound;			/* ms, below every plan */
	const struct visits *weight;	/* the mean of paths that proves it */
	double terms;			/* terms in that mean beside the relaxation's paths, for rounding */
};
struct root bounding_root(const struct bounding *);
double bounding_bound(const struct bounding *);		/* ms, below every plan */

#endif
