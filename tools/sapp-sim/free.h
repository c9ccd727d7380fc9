/* Free order: find the shortest order of a run's operations. */
#ifndef FREE_H
#define FREE_H

#include "run.h"

/*
 * Give a run a custom order, if an order is found that is shorter than its schedule and fits its memory limits. If the
 * schedule needs more memory than the limits, or has no limits, the order may use the memory of the schedule. Exits,
 * naming the run, if its operations cannot be reordered.
 */
void free_order_give(struct sim_run *);

#endif
