/*
 * Deal: layers dealt out to the pieces in their order, to each as many as it can take.  With one chunk a stage
 * that is exact; with several every piece takes a share of its stage's memory.
 */
#ifndef GREEDY_H
#define GREEDY_H

#include "sapp-lp/model/problem.h"

/*
 * The least MB, by which the limits must be raised at the most, with which all layers can be dealt; LAYERS[pieces] is
 * that deal. INFINITY: lists cannot say any.
 */
double greedy_memory(const struct problem *, int *layers);
/* Within the limits, the deal whose busiest piece is least busy; false when there is none. */
bool greedy_time(const struct problem *, int *layers);

#endif
