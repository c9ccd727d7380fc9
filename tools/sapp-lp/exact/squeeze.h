/*
 * Squeeze: a lower bound by reduced-cost fixing against a target.  In a plan shorter than the target every path is
 * shorter: a pattern with which some path reaches the target, whatever the other stages hold, is in no such plan.
 * Dropping these, path by path, until nothing more can be dropped, may leave a stage without any pattern: a proof that
 * there is no such plan.  The largest such target is found by bisection.
 *
 * A mean of paths does not see that each stage holds whole layers, some more of them than the mean of all; the paths
 * here, one along each stage, do.
 */
#ifndef SQUEEZE_H
#define SQUEEZE_H

#include "sapp-lp/pattern/patterns.h"

struct squeeze {		/* a question, and with bound its answer */
	struct patterns *patterns;	/* complete below HORIZON; those of no plan shorter than that are dropped */
	const struct visits *weight;	/* a mean of paths that proves a good bound, used as a path */
	const struct candidate *known;	/* a plan, whose critical paths are used */
	double horizon;			/* ms, its step time or less */
	double bound;			/* ms, a lower bound on every plan, not yet proved_bound(): it is raised */
	double deadline;		/* s of clock.h */
};

void squeeze_run(struct squeeze *);
/* Whether the patterns are few, so that it takes little time. */
bool squeeze_pays(const struct patterns *);

#endif
