/* Order bound: a lower bound on the step for every order of operations and placement of layers. */
#ifndef ORDER_BOUND_H
#define ORDER_BOUND_H

#include "sapp-lp/model/problem.h"

/*
 * Return the bound in ms, the maximum of two: (1) the longest chain of one micro-batch's operations, and (2) the load
 * of the stages. A stage's load lasts from the arrival of the first micro-batch to the return of the last. It is a
 * relaxation: layers take their fastest kind without memory limits, and backwards may be split. With two models,
 * overlapping operations or sequence splits, the bound is the mean load of the stages. It is rounded down by
 * proved_bound().
 */
double order_bound(const struct problem *);

#endif
