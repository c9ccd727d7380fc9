/*
 * Decoupled stages: a lower bound on the step of plans made of patterns with several chunks. Lagrangian relaxation
 * gives each layer a price, possibly negative, for the constraint that all layers of its body are placed. Then each
 * stage takes its cheapest pattern independently.
 */
#ifndef DECOUPLED_H
#define DECOUPLED_H

#include "patterns.h"

/*
 * Return a lower bound on the step of every plan of the patterns, ms, minus the rounding of the prices. The bound
 * follows from WEIGHT, a mean of paths, and PRICE[bodies], ms per layer. Return INFINITY if no plan exists, -INFINITY
 * after the deadline. OUT (may be NULL) receives the cheapest pattern of each stage, which together are seldom a plan;
 * content -1: unknown.
 */
double decoupled_bound(const struct patterns *, const struct visits *weight, const double *price,
    struct candidate *out);
/* Find prices with a high bound by the subgradient method. Its target is HORIZON, ms. */
void decoupled_find_price(const struct patterns *, const struct visits *weight, double horizon, double *price);
/* Reduced-cost fixing: drop the patterns with which the bound reaches HORIZON, ms, until the patterns' deadline. */
void decoupled_trim(struct patterns *, const struct visits *weight, const double *price, double horizon);

#endif
