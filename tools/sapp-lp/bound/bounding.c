#include "bounding.h"

#include <limits.h>
#include <math.h>

#include "sapp-lp/model/tuning.h"
#include "sapp-lp/pattern/alternatives.h"

enum {
	/* maximum number of stages for which a programme with a path of each stage is solved in acceptable time */
	STAGES_MOST = 200,
	/* maximum number of rounds if branch and price can follow, which raises the bound faster than more rounds */
	ROUNDS = 8,
};

struct bounding
bounding_new(const struct problem *p)
{
	return (struct bounding){ .p = p, .ordered = tuning.ordered ? ordered_new(p) : NULL };
}

void
bounding_free(struct bounding *b)
{
	relaxed_free(&b->relaxed);
	if (b->ordered != NULL)
		ordered_free(b->ordered);
}

bool
bounding_can(const struct problem *p)
{
	return p->chunks > 1 || p->stages <= STAGES_MOST;
}

void
bounding_begin(struct bounding *b, double deadline)
{
	int rounds = b->p->chunks == 1 || alternatives_can(b->p) ? ROUNDS : INT_MAX;

	if (bounding_can(b->p))
		b->relaxed = relaxation_solve(b->p, rounds, deadline);
}

bool
bounding_left(const struct bounding *b)
{
	return b->ordered != NULL && !ordered_done(b->ordered, b->horizon);
}

bool
bounding_slow(const struct bounding *b)
{
	return ordered_slow(b->ordered);
}

void
bounding_run(struct bounding *b, double operations, double deadline)
{
	long rounds = (long)(operations / ordered_work(b->ordered)) + 1;

	ordered_run(b->ordered, &b->relaxed, b->horizon, rounds, deadline);
}

struct root
bounding_root(const struct bounding *b)
{
	const struct visits *weight = b->ordered != NULL ? ordered_weight(b->ordered) : NULL;

	if (weight != NULL && ordered_bound(b->ordered) > b->relaxed.bound)
		return (struct root){ ordered_bound(b->ordered), weight, ordered_terms(b->ordered) };
	return (struct root){ b->relaxed.bound, &b->relaxed.weight, 0 };
}

double
bounding_bound(const struct bounding *b)
{
	return b->ordered != NULL ? fmax(b->relaxed.bound, ordered_bound(b->ordered)) : b->relaxed.bound;
}
