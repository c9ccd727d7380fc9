/*
 * Bounding: lower bounds that need no list of patterns. First the relaxation is solved, then the ordered relaxation,
 * which starts with the relaxation's multipliers.
 */
#ifndef BOUNDING_H
#define BOUNDING_H

#include "ordered.h"
#include "relaxation.h"

struct bounding {
	const struct problem *p;
	struct relaxed relaxed;
	struct ordered *ordered;	/* NULL: not applicable, see ordered_new() */
	double horizon;			/* ms, only shorter plans matter; set before each run */
};

struct bounding bounding_new(const struct problem *);
void bounding_free(struct bounding *);
/*
 * Return whether the relaxation should be solved. With very many stages of one chunk run_squeeze.h gives a better
 * bound.
 */
bool bounding_can(const struct problem *);
void bounding_begin(struct bounding *, double deadline);	/* solve the relaxation if applicable */
bool bounding_left(const struct bounding *);	/* whether the ordered relaxation could still raise the bound */
bool bounding_slow(const struct bounding *);	/* whether the last rounds of the ordered relaxation gained little */
/*
 * Run the ordered relaxation for about as much work as simulating OPERATIONS operations. The work is counted, not
 * timed. Ends early at DEADLINE (s of clock_now()).
 */
void bounding_run(struct bounding *, double operations, double deadline);
/* The best bound, from which branch and bound starts. */
struct root {
	double bound;			/* ms, below every plan */
	const struct visits *weight;	/* mean of paths that proves the bound */
	/* number of terms in this mean in addition to the relaxation's paths, for rounding */
	double terms;
};
struct root bounding_root(const struct bounding *);
double bounding_bound(const struct bounding *);		/* ms, below every plan */

#endif
