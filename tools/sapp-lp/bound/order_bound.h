/* Order bound: what no step is shorter than, whatever the order of operations and where the layers are. */
#ifndef ORDER_BOUND_H
#define ORDER_BOUND_H

#include "sapp-lp/model/problem.h"

/*
 * ms, the largest of: the longest chain of one micro-batch's operations (critical path), and the load of the stages, of
 * which each can begin when the first micro-batch has come to it and ends when the last one has gone back from it. A
 * relaxation: nothing is recomputed, memory is no limit, and backwards may be split into those for inputs and weights.
 * With two models, and operations that run together or in parts of a sequence, it is the mean load of the stages.
 * Rounding is taken off by proved_bound().
 */
double order_bound(const struct problem *);

#endif
