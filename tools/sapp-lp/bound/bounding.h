/*
 * Bounding: the lower bounds that need no list of patterns: the relaxation, and the ordered one, which begins from its
 * multipliers.
 */
#ifndef BOUNDING_H
#define BOUNDING_H

#include "ordered.h"
#include "relaxation.h"

struct bounding {
	const struct problem *p;
	struct relaxed relaxed;
	struct ordered *ordered;	/* NULL: none */
	double horizon;			/* ms: only plans below it matter; to be set before each run */
};

struct bounding bounding_new(const struct problem *);
void bounding_free(struct bounding *);
/* False with very many stages of one chunk: run_squeeze.h has more to say then. */
bool bounding_can(const struct problem *);
void bounding_begin(struct bounding *, double deadline);	/* the relaxation, if it can */
bool bounding_left(const struct bounding *);	/* whether the ordered one could raise its bound */
bool bounding_slow(const struct bounding *);	/* and whether it hardly did so, last */
/* The ordered one, for about as long as OPERATIONS take to simulate: counted work; until DEADLINE (s of clock.h). */
void bounding_run(struct bounding *, double operations, double deadline);
/* By what branch and bound begins with: what has the best bound. */
struct root {
	double bound;			/* ms, below every plan */
	const struct visits *weight;	/* a mean of paths that is good for it, */
	double terms;			/* and whose rounding is in that, beside that of the relaxation's paths */
};
struct root bounding_root(const struct bounding *);
double bounding_bound(const struct bounding *);		/* ms, below every plan */

#endif
