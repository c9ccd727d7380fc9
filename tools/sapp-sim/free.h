/* A free order: the operations of a run in the shortest order that is found for it. */
#ifndef FREE_H
#define FREE_H

#include "run.h"

/*
 * Give a run an order of its own, schedule custom, if one is found that is shorter than its schedule and stays within
 * its memory limits, or what the schedule takes where that is more or none are known. Exits naming the run where its
 * operations cannot be put into another order.
 */
void free_order_give(struct run *);

#endif
