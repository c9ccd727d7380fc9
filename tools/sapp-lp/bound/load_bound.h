/*
 * Load bound: the minimum step by the stages' work, over all placements of whole layers, each in its fastest kind of
 * recomputation.
 */
#ifndef LOAD_BOUND_H
#define LOAD_BOUND_H

#include "sapp-lp/model/problem.h"

/*
 * Return a lower bound on every plan, ms. LIMITS: over plans within the memory limits, INFINITY if none fits; only with
 * one chunk per stage. Return 0 if the bound does not apply to the schedule, or there are too many layers to try all
 * numbers. Weaker after DEADLINE (s of clock.h).
 */
double load_bound(const struct problem *, bool limits, double deadline);
/*
 * Bisect between LOW and HIGH until DEADLINE. Return a step just below the least for which CAN places the layers of
 * BOUND, or INFINITY if none exists.
 */
double least_step(bool (*can)(const void *bound, double step), const void *bound, double low, double high,
    double deadline);

#endif
