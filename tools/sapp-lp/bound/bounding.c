/* Bounding: the relaxations in turn. */
#include "bounding.h"

#include <limits.h>
#include <math.h>

#include "lib/base/clock.h"
#include "sapp-lp/model/tuning.h"

enum { STAGES_MOST = 200 };	/* with which programmes that have a path of each stage end in time */
/* Of a run's time, the part after which the relaxation gives way to the ordered one, which goes on from there. */
static const double UNORDERED_PART = 0.5;
static const double SLOW_PART = 0.5;	/* and for the ordered one while that hardly raises the bound */
static const double SLOW = 0.02;	/* tailing-off threshold of the first solve, see relaxation_solve() */

struct bounding
bounding_new(const struct problem *p)
{
	return (struct bounding){ .p = p, .ordered = tuning.ordered ? ordered_new(p) : NULL };
}

void
bounding_free(struct bounding *b)
{
	relaxed_free(&b->relaxed);
	if (b->relaxation != NULL)
		relaxation_free(b->relaxation);
	if (b->ordered != NULL)
		ordered_free(b->ordered);
}

/* One chunk a stage: run_squeeze.h has more to say then. */
static bool
too_long(const struct problem *p)
{
	return p->chunks == 1 && p->stages > STAGES_MOST;
}

static void
run_relaxation(struct bounding *b, double deadline)
{
	bool first = b->relaxation == NULL;
	struct relaxed more;

	if (first)
		b->relaxation = relaxation_new(b->p, deadline);
	more = relaxation_solve(b->relaxation, b->horizon, first ? SLOW : 0, deadline);
	b->stalled = more.rounds == 0;
	if (more.bound >= b->relaxed.bound) {
		relaxed_free(&b->relaxed);
		b->relaxed = more;
	} else {
		/* What proves the better bound is kept. */
		b->relaxed.converged = more.converged;
		b->relaxed.slow = more.slow;
		relaxed_free(&more);
	}
}

bool
bounding_ordered_left(const struct bounding *b)
{
	return b->ordered != NULL && !ordered_done(b->ordered, b->horizon);
}

bool
bounding_ordered_slow(const struct bounding *b)
{
	return ordered_slow(b->ordered);
}

bool
bounding_ordered_leads(const struct bounding *b)
{
	return bounding_ordered_left(b) && ordered_bound(b->ordered) > b->relaxed.bound;
}

void
bounding_run_ordered(struct bounding *b, double operations, double deadline)
{
	long rounds = (long)(operations / ordered_work(b->ordered)) + 1;

	ordered_run(b->ordered, &b->relaxed, b->horizon, rounds, deadline);
}

static void
run_ordered(struct bounding *b, double deadline)
{
	ordered_run(b->ordered, &b->relaxed, b->horizon, LONG_MAX, deadline);
}

void
bounding_begin(struct bounding *b, double deadline)
{
	double now = clock_now();

	if (!too_long(b->p))
		run_relaxation(b, b->ordered != NULL ? now + UNORDERED_PART * (deadline - now) : deadline);
}

void
bounding_run(struct bounding *b, double deadline)
{
	double now = clock_now();

	if (too_long(b->p))
		return;
	if (bounding_ordered_left(b))
		run_ordered(b, ordered_slow(b->ordered) ? now + SLOW_PART * (deadline - now) : deadline);
	if (!b->relaxed.converged && !b->relaxed.slow && clock_left(deadline))
		run_relaxation(b, deadline);
	if (bounding_ordered_left(b))
		run_ordered(b, deadline);
	b->relaxed.slow = false;	/* next time it has its turn */
}

struct root
bounding_root(const struct bounding *b)
{
	const struct visits *weight = b->ordered != NULL ? ordered_weight(b->ordered) : NULL;

	if (weight != NULL && ordered_bound(b->ordered) > b->relaxed.bound)
		return (struct root){ ordered_bound(b->ordered), weight, ordered_terms(b->ordered) };
	return (struct root){ b->relaxed.bound, &b->relaxed.weight, 0 };
}

bool
bounding_slow(const struct bounding *b)
{
	return (b->relaxed.converged || b->relaxed.slow) &&
	    (!bounding_ordered_left(b) || ordered_slow(b->ordered));
}

bool
bounding_done(const struct bounding *b)
{
	return too_long(b->p) || (b->relaxed.converged && !bounding_ordered_left(b));
}

double
bounding_bound(const struct bounding *b)
{
	return b->ordered != NULL ? fmax(b->relaxed.bound, ordered_bound(b->ordered)) : b->relaxed.bound;
}
