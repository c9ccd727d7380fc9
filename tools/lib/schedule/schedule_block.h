/*
 * Building blocks of schedules with two chunks per stage (Qi et al., arXiv 2405.15362). Private to the schedule's
 * files.
 */
#ifndef SCHEDULE_BLOCK_H
#define SCHEDULE_BLOCK_H

#include "schedule.h"

/*
 * Slots of a micro-batch's operations on a stage, F and B of each chunk. The next micro-batch follows BLOCK_PERIOD
 * slots later. SHIFT slots, less than a period, avoid collisions; the first micro-batch's forwards and the last one's
 * backwards cannot collide and omit them.
 */
enum { BLOCK_PERIOD = 6 };
struct schedule_block {
	int forward[2], backward[2], shift;
};

/*
 * Lay a block per micro-batch over the slots of a stage, from OP on, with weight gradients in free slots. Return the
 * end.
 */
struct op *block_lay(const struct schedule_block *, int micro, struct op *op);

#endif
