/* Free order: find the shortest order of a run's operations. */
#ifndef FREE_H
#define FREE_H

#include "run.h"

/*
 * Give a run a custom order, if one is found that is shorter than its schedule and fits its memory limits (or the
 * memory of the schedule, if that is more or there are no limits). Exits, naming the run, if its operations cannot be
 * reordered.
 */
void free_order_give(struct sim_run *);

#endif
