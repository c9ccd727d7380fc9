/*
 * Decoupled stages: a lower bound on the step of plans made of patterns with several chunks, by Lagrangian relaxation
 * of the placement of all layers of each body. With a price per layer, possibly negative, each stage takes its cheapest
 * pattern independently.
 */
#ifndef DECOUPLED_H
#define DECOUPLED_H

#include "patterns.h"

/*
 * Return a lower bound on the step of every plan of the patterns, ms, from a mean of paths and PRICE[bodies], ms per
 * layer, minus the rounding of the prices. Return INFINITY if no plan exists, -INFINITY after the deadline. OUT (may be
 * NULL): the stages' patterns, seldom a plan; content -1 if unknown.
 */
double decoupled_bound(const struct patterns *, const struct visits *weight, const double *price,
    struct candidate *out);
/* Find prices with a high bound by the subgradient method towards HORIZON, ms. */
void decoupled_find_price(const struct patterns *, const struct visits *weight, double horizon, double *price);
/* Reduced-cost fixing: drop patterns with which the bound reaches HORIZON, ms, as time allows. */
void decoupled_trim(struct patterns *, const struct visits *weight, const double *price, double horizon);

#endif
