/* Overhead: what a step takes outside its pipeline, and how transfers between stages take place. */
#ifndef OVERHEAD_H
#define OVERHEAD_H

#include "lib/base/place.h"
#include "lib/field/table.h"

enum transfer_mode {
	TRANSFERS_HIDDEN,	/* go on behind the stages' operations */
	TRANSFERS_BLOCKING,	/* keep both stages busy */
	TRANSFERS_BATCHED,	/* the same, where a stage hands over at once what it sends and what it receives */
	TRANSFERS_OVERLAP,	/* sends keep a stage busy, those of backwards until the next one; receives do not */
	/* stages go on; those of a stage wait for one another in so many queues */
	TRANSFERS_STREAMS_1,
	TRANSFERS_STREAMS_2,
	TRANSFERS_STREAMS_4,
	TRANSFERS_ONE_BY_ONE	/* keep both stages busy, sent right before the next operation */
};
extern const char *const transfers_names[];	/* ended by NULL */

/*
 * OVERHEAD and what of it comes EARLY, ms on each of STAGES (0: not known how many) or everywhere; without entries:
 * none. Exits naming AT and WHAT when their numbers do not fit, or early ones are more than all of it.
 */
void overhead_check(struct list overhead, struct list early, int stages, const char *what, struct place at);
/*
 * ms from the first operation to the end of the step, when each stage's operations have ended at END[STAGES]: the early
 * part runs while stages before still work, the rest when all have done that.
 */
double overhead_step(struct list overhead, struct list early, int stages, const double end[]);

#endif
