/* Lower bound of a shop over all orders of its operations. */
#ifndef SHOP_BOUND_H
#define SHOP_BOUND_H

#include "lib/schedule/schedule.h"
#include "lib/simulate/load.h"
#include "lib/simulate/room.h"

/*
 * Return a lower bound (ms) on the step over all orders of a schedule's operations that stay within the room. Return 0
 * if times vary between micro-batches. It is the maximum over the stages of: (1) the load of a stage, plus the time
 * until its first data arrive and after its last backward until the results are back, where a W waits only while there
 * is memory; (2) the same with the time in which it lacks memory for forwards until a backward can run; (3) the
 * memory-time its micro-batches need at least, divided by its memory; (4) the chain of one micro-batch. Backwards may
 * be split if any are. The result is rounded down.
 */
double shop_bound(const struct schedule *, const struct load *, const struct room *);

#endif
