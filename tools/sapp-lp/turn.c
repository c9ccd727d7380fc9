/* Turns: a thread for each side. */
#include "turn.h"

#include <math.h>

#include "lib/base/threads.h"

static void *
take_turn(void *arg)
{
	struct side *side = arg;

	if (side->branch != NULL)
		side->proved = branch_run(side->branch, 1, (int)side->work, side->operations, side->deadline);
	else if (side->bounding != NULL && side->bounding->relaxation == NULL)
		bounding_begin(side->bounding, side->deadline);
	else if (side->bounding != NULL && side->operations > 0)
		bounding_run_ordered(side->bounding, side->operations, side->deadline);
	else if (side->bounding != NULL)
		bounding_run(side->bounding, side->deadline);
	else if (side->squeeze != NULL)
		squeeze_run(side->squeeze);
	else if (side->runs != NULL)
		run_squeeze_run(side->runs, side->deadline);
	else {
		if (side->bottleneck != NULL) {
			bottleneck_run(side->bottleneck, side->bottlenecks, fmin(side->until, side->deadline));
			tempering_take(side->search, bottleneck_best(side->bottleneck));
		}
		tempering_run(side->search, side->work, side->deadline);
	}
	return NULL;
}

void
take_turns(struct side *side, int n)
{
	threads_run(take_turn, side, sizeof *side, n);
}
