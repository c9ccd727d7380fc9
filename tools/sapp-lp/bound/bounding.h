/*
 * Bounding: the lower bounds that need no list of patterns, and how they share the time: the relaxation first, from
 * which the ordered relaxation begins.
 */
#ifndef BOUNDING_H
#define BOUNDING_H

#include "ordered.h"
#include "relaxation.h"

struct bounding {
	const struct problem *p;
	struct relaxation *relaxation;	/* NULL: not begun */
	struct relaxed relaxed;
	struct ordered *ordered;	/* NULL: none */
	double horizon;			/* ms: only plans below it matter; to be set before each run */
	bool stalled;		/* a whole run was too short for a round of the relaxation */
};

struct bounding bounding_new(const struct problem *);
void bounding_free(struct bounding *);
/* The relaxation, until more of it would hardly raise the bound, or for part of the time to DEADLINE. */
void bounding_begin(struct bounding *, double deadline);
/* Go on until nothing is left that could raise the bound for plans below the horizon, or until DEADLINE. */
void bounding_run(struct bounding *, double deadline);
/* The same with the ordered relaxation alone, for about as long as OPERATIONS take to simulate: counted work. */
void bounding_run_ordered(struct bounding *, double operations, double deadline);
bool bounding_ordered_left(const struct bounding *);	/* whether that could raise its bound */
bool bounding_ordered_slow(const struct bounding *);	/* and whether it hardly did so, last */
/* The ordered relaxation has the best bound, and may raise it further. */
bool bounding_ordered_leads(const struct bounding *);
/* By what branch and bound begins with: what has the best bound. */
struct root {
	double bound;			/* ms, below every plan */
	const struct visits *weight;	/* a mean of paths that is good for it, */
	double terms;			/* and whose rounding is in that, beside that of the relaxation's paths */
};
struct root bounding_root(const struct bounding *);
bool bounding_slow(const struct bounding *);	/* what is left would hardly raise the bound soon */
bool bounding_done(const struct bounding *);
double bounding_bound(const struct bounding *);		/* ms, below every plan */

#endif
