/*
 * Bounding: lower bounds without a list of patterns: the relaxation, then the ordered relaxation, which starts with the
 * relaxation's multipliers.
 */
#ifndef BOUNDING_H
#define BOUNDING_H

#include "ordered.h"
#include "relaxation.h"

struct bounding {
	const struct problem *p;
	struct relaxed relaxed;
	struct ordered *ordered;	/* NULL: not applicable, see ordered_new() */
	double horizon;			/* ms: only shorter plans matter; set before each run */
};

struct bounding bounding_new(const struct problem *);
void bounding_free(struct bounding *);
/*
 * Return whether the relaxation is to be solved. With very many stages of one chunk run_squeeze.h has a better bound.
 */
bool bounding_can(const struct problem *);
void bounding_begin(struct bounding *, double deadline);	/* solve the relaxation if applicable */
bool bounding_left(const struct bounding *);	/* whether the ordered relaxation could raise the bound */
bool bounding_slow(const struct bounding *);	/* whether its last rounds gained little */
/*
 * Run the ordered relaxation for about the cost of simulating OPERATIONS (counted work), until DEADLINE (s of clock.h).
 */
void bounding_run(struct bounding *, double operations, double deadline);
/* The best bound, for branch and bound to start with. */
struct root {
	double bound;			/* ms, below every plan */
	const struct visits *weight;	/* mean of paths that proves it */
	double terms;			/* terms in that mean in addition to the relaxation's paths, for rounding */
};
struct root bounding_root(const struct bounding *);
double bounding_bound(const struct bounding *);		/* ms, below every plan */

#endif
