/*
 * Squeeze: a lower bound by reduced-cost fixing against a target. In a plan shorter than the target, every path is
 * shorter than the target. So a pattern is in no such plan if some path reaches the target with it, whatever the other
 * stages hold. These patterns are dropped, path by path. If a stage has no pattern left, no plan is shorter than the
 * target. Bisection finds the largest target with such a proof.
 *
 * A mean of paths ignores that each stage holds whole layers, and that some stages hold more than the mean. The paths
 * used here, one along each stage, do not ignore it.
 */
#ifndef SQUEEZE_H
#define SQUEEZE_H

#include "sapp-lp/pattern/patterns.h"

struct squeeze {		/* a question; the member bound is its answer */
	/* complete for plans shorter than the horizon; patterns of no shorter plan are dropped */
	struct patterns *patterns;
	const struct visits *weight;	/* a mean of paths that proves a good bound, used as a path */
	const struct candidate *known;	/* a plan, from which critical paths are taken */
	double horizon;			/* ms, at most the step of known */
	double bound;			/* ms, below every plan, before proved_bound(); squeeze raises it */
	double deadline;		/* s of clock_now() */
};

void squeeze_run(struct squeeze *);
/* Return whether the patterns are few enough for squeezing to be fast. */
bool squeeze_pays(const struct patterns *);

#endif
