/* Overhead: step time outside the pipeline, and modes of transfers between stages. */
#ifndef OVERHEAD_H
#define OVERHEAD_H

#include "lib/base/place.h"
#include "lib/base/table.h"

enum transfer_mode {
	TRANSFERS_HIDDEN,	/* run in parallel to the stages' operations */
	TRANSFERS_BLOCKING,	/* keep both stages busy */
	TRANSFERS_BATCHED,	/* keep both stages busy; a stage sends and receives in one batch */
	TRANSFERS_OVERLAP,	/* sends keep a stage busy, backward ones until the next send; receives do not */
	/* Stages continue; the transfers of a stage queue in this number of streams. */
	TRANSFERS_STREAMS_1,
	TRANSFERS_STREAMS_2,
	TRANSFERS_STREAMS_4,
	TRANSFERS_ONE_BY_ONE	/* keep both stages busy, sent right before the next operation */
};
extern const char *const transfers_names[];	/* NULL-terminated */

/*
 * Check OVERHEAD and its EARLY part: ms, one for all or one per stage (STAGES 0: unknown number); empty: none. Exits,
 * naming AT and WHAT, if a length is wrong or EARLY exceeds OVERHEAD.
 */
void overhead_check(struct list overhead, struct list early, int stages, const char *what, struct place at);
/*
 * Return the ms from the first operation to the end of the step for stages that end at END[STAGES]. The early part runs
 * while other stages still work, the rest after all have ended.
 */
double overhead_step(struct list overhead, struct list early, int stages, const double end[]);

#endif
