/* Order bound: a lower bound on the step that holds for every order of operations, wherever the layers are. */
#ifndef ORDER_BOUND_H
#define ORDER_BOUND_H

#include "sapp-lp/model/problem.h"

/*
 * ms, the larger of the longest chain of one micro-batch's operations, and the load of the stages, each of which can
 * begin when the first micro-batch has come to it, and ends when the last one has gone back from it. A relaxation:
 * layers take their fastest kind, memory is no limit, and backwards may be split into those for inputs and weights.
 * With two models, and operations that run together or in parts of a sequence, it is the mean load of the stages.
 * Rounding is taken off by proved_bound().
 */
double order_bound(const struct problem *);

#endif
