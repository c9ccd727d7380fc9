/*
 * Load bound: the least step that the work of the stages allows, over all numbers of layers on them: with one chunk
 * a stage, where a content has one mix only.
 */
#ifndef LOAD_BOUND_H
#define LOAD_BOUND_H

#include "sapp-lp/model/problem.h"

/*
 * ms, a bound on every plan, within the memory limits if LIMITS: INFINITY if none fits. With several
 * chunks a stage the limits do not count. 0, which says nothing, where there are too many layers to look at all
 * numbers. Weaker from DEADLINE (s of clock.h) on.
 */
double load_bound(const struct problem *, bool limits, double deadline);
/*
 * By bisection from LOW and HIGH on, until DEADLINE: a step below the least with which a bound CAN place the layers,
 * and near to it; INFINITY: none can.
 */
double least_step(bool (*can)(const void *bound, double step), const void *bound, double low, double high,
    double deadline);

#endif
