/*
 * Exact price: the cost of the cheapest setting of a stage's contents. It is found by branch and bound over the mixes
 * of its chunks, with bounds from pricing.h.
 */
#ifndef EXACT_PRICE_H
#define EXACT_PRICE_H

#include "node_bounds.h"
#include "pricing.h"

/*
 * Return the cost in ms of the cheapest setting within BOUNDS (NULL: any), and get this setting in MIX[chunks]. Return
 * INFINITY if no setting exists. If a front is thinned or branch and bound is slow, the cost is a lower bound, and MIX
 * may cost more or violate the bounds. Keeps the multipliers for pricing_bound().
 */
double exact_price(struct pricing *, const int *content, const struct node_bounds *bounds, int *mix);

#endif
