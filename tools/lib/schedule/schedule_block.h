/* Blocks of schedules with two chunks per stage (Qi et al., arXiv 2405.15362). Only schedule files include this. */
#ifndef SCHEDULE_BLOCK_H
#define SCHEDULE_BLOCK_H

#include "schedule.h"

/*
 * Slots of the operations of a micro-batch on a stage: F and B of each chunk. The next micro-batch follows BLOCK_PERIOD
 * slots later. SHIFT, less than a period, delays operations to avoid collisions. The first micro-batch's forwards and
 * the last one's backwards cannot collide, so they are not delayed.
 */
enum { BLOCK_PERIOD = 6 };
struct schedule_block {
	int forward[2], backward[2], shift;
};

/*
 * Write the operations of a stage from OP on: a block per micro-batch, with weight gradients in free slots. Return the
 * end.
 */
struct op *block_lay(const struct schedule_block *, int micro, struct op *op);

#endif
