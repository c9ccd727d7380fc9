/*
 * Load bound: the minimum step by the work of each stage alone, over all placements of whole layers. Each layer takes
 * its fastest kind of recomputation.
 */
#ifndef LOAD_BOUND_H
#define LOAD_BOUND_H

#include "sapp-lp/model/problem.h"

/*
 * Return a lower bound on the step of every plan, ms. LIMITS: consider only plans within the memory limits, and return
 * INFINITY if none fits; allowed only with one chunk per stage. Return 0 if the bound does not apply to the schedule,
 * or if the model has too many layers to try every number of layers on a stage. The bound is weaker if DEADLINE (s of
 * clock_now()) comes first.
 */
double load_bound(const struct problem *, bool limits, double deadline);
/*
 * Bisect between LOW and HIGH, ms, until DEADLINE. Return a step just below the least step for which CAN places the
 * layers of BOUND, or INFINITY if CAN places them for no step.
 */
double least_step(bool (*can)(const void *bound, double step), const void *bound, double low, double high,
    double deadline);

#endif
