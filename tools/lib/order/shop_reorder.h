/*
 * Squeeze and reorder a block's order of a two-chunk shop, assuming one slot per operation (Qi et al., arXiv
 * 2405.15362, section 3.3). Private to the search for orders.
 */
#ifndef SHOP_REORDER_H
#define SHOP_REORDER_H

#include "shop.h"

struct shop_reorder;
struct shop_reorder *shop_reorder_new(const struct shop *);
void shop_reorder_free(struct shop_reorder *);
/*
 * Rebuild fill and drain of an order with at most PIECES in flight per stage, and move operations into free slots. If
 * false, the order is undefined.
 */
bool shop_reorder(struct shop_reorder *, struct schedule *, int pieces);

#endif
