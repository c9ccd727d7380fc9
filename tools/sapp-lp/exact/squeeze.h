/*
 * Squeeze: a lower bound by reduced-cost fixing against a target. In a plan shorter than the target every path is
 * shorter, so a pattern with which some path reaches the target, whatever the other stages hold, is in no such plan.
 * Dropping these patterns, path by path, may leave a stage without patterns, which proves that no plan is shorter than
 * the target. Bisection finds the largest target with such a proof.
 *
 * A mean of paths ignores that each stage holds whole layers, some stages more than the mean; the paths here, one along
 * each stage, do not.
 *
 */
#ifndef SQUEEZE_H
#define SQUEEZE_H

#include "sapp-lp/pattern/patterns.h"

struct squeeze {		/* a question; bound: its answer */
	struct patterns *patterns;	/* complete below HORIZON; those of no shorter plan are dropped */
	const struct visits *weight;	/* a mean of paths that proves a good bound, used as a path */
	const struct candidate *known;	/* a plan, source of critical paths */
	double horizon;			/* ms, its step or less */
	double bound;			/* ms, below every plan, before proved_bound(): to be raised */
	double deadline;		/* s of clock.h */
};

void squeeze_run(struct squeeze *);
/* Return whether the patterns are few enough for it to be fast. */
bool squeeze_pays(const struct patterns *);

#endif
