/*
 * Exact price: the cost of the cheapest setting of a stage's contents, by branch and bound over the mixes of its
 * chunks, bounded by pricing.h.
 */
#ifndef EXACT_PRICE_H
#define EXACT_PRICE_H

#include "node_bounds.h"
#include "pricing.h"

/*
 * The cost in ms of the cheapest setting within BOUNDS (NULL: any), INFINITY if there is none; MIX[chunks] is that
 * setting. Where a front is thinned, or branch and bound takes too long, a lower bound on the cost; MIX may then cost
 * more, or be outside the bounds. The multipliers found are kept for pricing_bound().
 */
double exact_price(struct pricing *, const int *content, const struct node_bounds *bounds, int *mix);

#endif
