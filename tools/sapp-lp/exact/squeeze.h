/*
 * Squeeze: a lower bound by contradiction.  If there were a plan shorter than some target, every path would be
 * shorter, and a pattern with which a path reaches the target whatever the other stages hold is in none of those
 * plans. Dropping these, path by path, until nothing more can be dropped, may leave a stage without any: then
 * there is no such plan.
 *
 * A mean of paths does not see that every stage holds whole layers, some of them more than the mean of all; the path
 * of each stage alone does.
 */
#ifndef SQUEEZE_H
#define SQUEEZE_H

#include "sapp-lp/pattern/patterns.h"

struct squeeze {		/* asked */
	struct patterns *patterns;	/* complete; those of no plan shorter than HORIZON are dropped */
	const struct visits *weight;	/* a mean of paths that is good for all stages */
	const struct candidate *known;	/* a plan, near which paths are looked for, */
	double horizon;			/* ms, its step time, or less: the patterns are complete below it */
	double bound;		/* ms, a lower bound on every plan, not yet proved_bound(): raised */
	double deadline;	/* s of clock.h */
};

void squeeze_run(struct squeeze *);
/* Whether that takes little time: patterns are few. With several chunks a stage it hardly ever raises the bound. */
bool squeeze_pays(const struct patterns *);

#endif
