/* Lower bound of the step over all orders of a shop's operations. */
#ifndef SHOP_BOUND_H
#define SHOP_BOUND_H

#include "lib/schedule/schedule.h"
#include "lib/simulate/load.h"
#include "lib/simulate/room.h"

/*
 * Return a lower bound, ms, of the step over all orders of a schedule's operations that stay within the room. Backwards
 * may be split if any are. The result is rounded down. Return 0 if times vary between micro-batches.
 *
 * The bound is the maximum of four bounds, over all stages. (1) The sum of the stage's load, the time until its first
 * data arrive, and the time from its last backward until the results are back. Only W that fit the memory can wait
 * until then. (2) Bound 1, plus the time in which the stage lacks memory for forwards until a backward can run. (3) The
 * minimum of memory x time over all its micro-batches, divided by its memory. (4) The chain of one micro-batch.
 */
double shop_bound(const struct schedule *, const struct load *, const struct room *);

#endif
