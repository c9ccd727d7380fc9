/* Squeeze: bisection of the target; patterns are dropped path by path. */
#include "squeeze.h"

#include <math.h>
#include <stdlib.h>

#include "lib/base/clock.h"
#include "sapp-lp/bound/path_cuts.h"
#include "sapp-lp/pattern/stage_dp.h"

enum { PASSES = 20 };		/* maximum number of passes over all paths */
/* maximum number of patterns, over all stages, for which squeezing is fast enough */
static const double PATTERNS = 5000;
static const double CLOSE = 1e-4;	/* relative difference of targets at which the bisection ends */

bool
squeeze_pays(const struct patterns *c)
{
	double n = 0;

	for (int s = 0; s < c->problem->stages; s++)
		n += c->n[s];
	return n <= PATTERNS;
}

/* Return, for each stage, the critical path of PLAN with this stage slower. */
static struct path_cuts
stage_paths(const struct problem *p, const struct candidate *plan)
{
	struct path_finder f = path_finder_new(p);
	struct path_cuts paths = { 0 };

	candidate_costs(p, plan, f.cost);
	path_finder_slowed(&f, &paths, INFINITY);
	path_finder_free(&f);
	return paths;
}

/*
 * Drop the patterns that no plan shorter than TARGET has. Return true if a stage has no pattern left, so that no such
 * plan exists.
 */
static bool
drop(struct patterns *c, const struct path_cuts *paths, const struct visits *weight, double target, double deadline)
{
	const struct problem *p = c->problem;
	bool more = true;

	for (int pass = 0; pass < PASSES && more; pass++) {
		more = false;
		for (int i = -1; i < paths->n; i++) {
			more |= stage_dp_trim(c, i < 0 ? weight : &paths->at[i], target) > 0;
			for (int s = 0; s < p->stages; s++)
				if (c->n[s] == 0)
					return true;
			if (!clock_left(deadline))
				return false;
		}
	}
	return false;
}

static bool
none_below(const struct squeeze *q, const struct path_cuts *paths, double target)
{
	struct patterns c = patterns_within(q->patterns, NULL);
	bool none = drop(&c, paths, q->weight, target, q->deadline);

	patterns_free(&c);
	return none;
}

void
squeeze_run(struct squeeze *q)
{
	struct path_cuts paths = stage_paths(q->patterns->problem, q->known);
	double low = q->bound, high = q->horizon;

	while (high - low > CLOSE * q->horizon && clock_left(q->deadline)) {
		double target = (low + high) / 2;

		if (none_below(q, &paths, target))
			low = target;
		else
			high = target;
	}
	q->bound = fmax(q->bound, low);
	if (clock_left(q->deadline) && drop(q->patterns, &paths, q->weight, q->horizon, q->deadline))
		q->bound = q->horizon;
	path_cuts_free(&paths);
}
