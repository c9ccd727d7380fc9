/* Overhead, the time of a step outside the pipeline, and the ways that transfers between stages run. */
#ifndef OVERHEAD_H
#define OVERHEAD_H

#include "lib/base/place.h"
#include "lib/base/table.h"

enum transfer_mode {
	TRANSFERS_HIDDEN,	/* transfers run in parallel with all operations */
	TRANSFERS_BLOCKING,	/* a transfer keeps both its stages busy */
	TRANSFERS_BATCHED,	/* a transfer keeps both stages busy; each stage sends and receives in one batch */
	/* a send keeps its stage busy, in the backward until the next send; a receive does not */
	TRANSFERS_OVERLAP,
	/* Operations continue during transfers. The transfers of a stage queue in 1, 2 or 4 streams. */
	TRANSFERS_STREAMS_1,
	TRANSFERS_STREAMS_2,
	TRANSFERS_STREAMS_4,
	TRANSFERS_ONE_BY_ONE	/* a transfer keeps both stages busy and is sent right before the next operation */
};
extern const char *const transfers_names[];	/* NULL-terminated */

/*
 * Check OVERHEAD, ms, and its part EARLY, ms. Each list has one number for all stages or one per stage, or is empty.
 * STAGES 0: unknown number. Exit, naming AT and WHAT, if a length is wrong or EARLY exceeds OVERHEAD.
 */
void overhead_check(struct list overhead, struct list early, int stages, const char *what, struct place at);
/*
 * Return the ms from the first operation to the end of the step. END[STAGES]: ms at which each stage's operations end.
 * The early part runs while other stages still work, the rest after all stages have ended.
 */
double overhead_step(struct list overhead, struct list early, int stages, const double end[]);

#endif
