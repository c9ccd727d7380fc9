/*
 * Decoupled stages: a lower bound on the step time of the plans made of patterns with several chunks.  Every stage
 * takes its cheapest pattern, and layers are paid for, so much for each of a body, instead of placed exactly
 * (Lagrangian relaxation): a bound whatever the prices are, which can be negative.
 */
#ifndef DECOUPLED_H
#define DECOUPLED_H

#include "patterns.h"

/*
 * A lower bound on the step time of every plan of the patterns, ms, by a mean of paths and PRICE[bodies], ms a layer;
 * rounding of the prices is taken off. INFINITY: there is no plan; -INFINITY: the deadline has passed. OUT (may be
 * NULL) is what the stages take, which seldom is a plan.
 */
double decoupled_bound(const struct patterns *, const struct visits *weight, const double *price,
    struct candidate *out);
/* Prices for which that bound is high, where plans shorter than HORIZON, ms, matter. */
void decoupled_find_price(const struct patterns *, const struct visits *weight, double horizon, double *price);
/* Drop the patterns with which the bound is at least HORIZON, ms, as far as the deadline allows. */
void decoupled_trim(struct patterns *, const struct visits *weight, const double *price, double horizon);

#endif
