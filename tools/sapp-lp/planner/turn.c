#include "turn.h"

#include <limits.h>
#include <math.h>

#include "lib/base/threads.h"
#include "sapp-lp/bound/bounding.h"
#include "sapp-lp/exact/branch.h"
#include "sapp-lp/exact/run_squeeze.h"
#include "sapp-lp/exact/squeeze.h"
#include "sapp-lp/heuristic/tempering.h"

struct side
side_new(void (*task)(struct side *), void *on, double work, double deadline)
{
	return (struct side){ .task = task, .on = on, .work = work, .deadline = deadline };
}

void
task_search(struct side *s)
{
	if (s->bottleneck != NULL) {
		bottleneck_run(s->bottleneck, s->bottlenecks, fmin(s->until, s->deadline));
		tempering_take(s->on, bottleneck_best(s->bottleneck));
	}
	tempering_run(s->on, s->work < (double)LONG_MAX ? (long)s->work : LONG_MAX, s->deadline);
}

void
task_branch(struct side *s)
{
	s->proved = branch_run(s->on, 1, s->nodes, s->work, s->deadline);
}

void
task_relaxation(struct side *s)
{
	bounding_begin(s->on, s->deadline);
	if (bounding_left(s->on))
		bounding_run(s->on, s->work, s->deadline);
}

void
task_ordered(struct side *s)
{
	bounding_run(s->on, s->work, s->deadline);
}

void
task_squeeze(struct side *s)
{
	squeeze_run(s->on);
}

void
task_runs(struct side *s)
{
	run_squeeze_run(s->on, s->deadline);
}

static void *
take_turn(void *arg)
{
	struct side *side = arg;

	side->task(side);
	return NULL;
}

void
take_turns(struct side *side, int n)
{
	threads_run(take_turn, side, sizeof *side, n);
}
