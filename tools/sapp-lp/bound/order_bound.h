/* Order bound: what no step is shorter than, whatever the order of operations and where the layers are. */
#ifndef ORDER_BOUND_H
#define ORDER_BOUND_H

#include "sapp-lp/model/problem.h"

/*
 * ms: the longest chain of one micro-batch's operations, and the load of the stages, of which each can begin when the
 * first micro-batch has come to it and the last one has to go back from it. Nothing is recomputed, memory is no matter,
 * and backwards may be split.
 */
double order_bound(const struct problem *);

#endif
