/*
 * Building blocks of schedules whose stages hold two chunks (Qi et al., arXiv 2405.15362). Private to the schedule's
 * own files.
 */
#ifndef SCHEDULE_BLOCK_H
#define SCHEDULE_BLOCK_H

#include "schedule.h"

/*
 * The slot in which a micro-batch's operations begin on a stage, F and B of each chunk. The next micro-batch's begin
 * BLOCK_PERIOD later. SHIFT slots, less than a period, keep blocks from colliding; the first micro-batch's forwards
 * and the last one's backwards have nothing to collide with and do without them.
 */
enum { BLOCK_PERIOD = 6 };
struct block {
	int forward[2], backward[2], shift;
};

/*
 * Lay a block for each micro-batch over the slots of a stage, from OP on; weights' gradients take the slots left free.
 * Returns behind the last.
 */
struct op *block_lay(const struct block *, int micro, struct op *op);

#endif
