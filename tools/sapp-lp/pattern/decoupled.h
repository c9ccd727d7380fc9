/*
 * Decoupled stages: a lower bound on the step time of the plans made of patterns with several chunks, by Lagrangian
 * relaxation.  That all layers of each body are placed is relaxed, at a price for a layer, which may be negative: then
 * each stage takes its cheapest pattern by itself.
 */
#ifndef DECOUPLED_H
#define DECOUPLED_H

#include "patterns.h"

/*
 * A lower bound on the step time of every plan of the patterns, ms, by a mean of paths and PRICE[bodies], ms a layer,
 * less the rounding of the prices. INFINITY: there is no plan; -INFINITY: the deadline has passed. OUT (may be NULL) is
 * what the stages take, seldom a plan: a content is -1 where it is not known.
 */
double decoupled_bound(const struct patterns *, const struct visits *weight, const double *price,
    struct candidate *out);
/* Prices for which that bound is high, by the subgradient method towards HORIZON, ms. */
void decoupled_find_price(const struct patterns *, const struct visits *weight, double horizon, double *price);
/* Reduced-cost fixing: drop the patterns with which the bound is HORIZON, ms, or more, as far as time allows. */
void decoupled_trim(struct patterns *, const struct visits *weight, const double *price, double horizon);

#endif
