/*
 * Load bound: the least step that the work of the stages allows, over all ways to place whole layers on them, each in
 * its fastest kind of recomputation.
 */
#ifndef LOAD_BOUND_H
#define LOAD_BOUND_H

#include "sapp-lp/model/problem.h"

/*
 * A lower bound on every plan, ms. LIMITS: of plans within the memory limits, INFINITY if none fits; only with one
 * chunk a stage. 0, which says nothing, for schedules that it does not apply to, and with too many layers to try all
 * numbers of them. Weaker from DEADLINE (s of clock.h) on.
 */
double load_bound(const struct problem *, bool limits, double deadline);
/*
 * By bisection, from LOW and HIGH on, until DEADLINE: a step near to the least with which a bound CAN place the layers,
 * and below it; INFINITY: no step can.
 */
double least_step(bool (*can)(const void *bound, double step), const void *bound, double low, double high,
    double deadline);

#endif
