#include "turn.h"

#include <limits.h>
#include <math.h>

#include "lib/base/threads.h"

static void
run_search(struct side *s)
{
	if (s->bottleneck != NULL) {
		bottleneck_run(s->bottleneck, s->bottlenecks, fmin(s->until, s->deadline));
		tempering_take(s->on, bottleneck_best(s->bottleneck));
	}
	tempering_run(s->on, s->work < (double)LONG_MAX ? (long)s->work : LONG_MAX, s->deadline);
}

struct side
side_search(struct tempering *t, double rounds, double deadline)
{
	return (struct side){ .run = run_search, .on = t, .work = rounds, .deadline = deadline };
}

void
side_widen(struct side *search, struct bottleneck *b, double work, double until)
{
	search->bottleneck = b;
	search->bottlenecks = work;
	search->until = until;
}

static void
run_branch(struct side *s)
{
	s->proved = branch_run(s->on, 1, (int)s->nodes, s->work, s->deadline);
}

struct side
side_branch(struct branch *b, long nodes, double work, double deadline)
{
	return (struct side){ .run = run_branch, .on = b, .nodes = nodes, .work = work, .deadline = deadline };
}

static void
run_bounding(struct side *s)
{
	struct bounding *b = s->on;

	(b->relaxation == NULL ? bounding_begin : bounding_run)(b, s->deadline);
}

struct side
side_bounding(struct bounding *b, double deadline)
{
	return (struct side){ .run = run_bounding, .on = b, .deadline = deadline };
}

static void
run_ordered(struct side *s)
{
	bounding_run_ordered(s->on, s->work, s->deadline);
}

struct side
side_ordered(struct bounding *b, double operations, double deadline)
{
	return (struct side){ .run = run_ordered, .on = b, .work = operations, .deadline = deadline };
}

static void
run_squeeze(struct side *s)
{
	squeeze_run(s->on);
}

struct side
side_squeeze(struct squeeze *q)
{
	return (struct side){ .run = run_squeeze, .on = q };
}

static void
run_runs(struct side *s)
{
	run_squeeze_run(s->on, s->deadline);
}

struct side
side_runs(struct run_squeeze *r, double deadline)
{
	return (struct side){ .run = run_runs, .on = r, .deadline = deadline };
}

static void *
take_turn(void *arg)
{
	struct side *side = arg;

	side->run(side);
	return NULL;
}

void
take_turns(struct side *side, int n)
{
	threads_run(take_turn, side, sizeof *side, n);
}
