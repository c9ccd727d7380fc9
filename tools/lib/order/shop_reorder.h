/*
 * Improve the order that a block gives in a shop with two chunks per stage, as if every operation took one slot (Qi et
 * al., arXiv 2405.15362, section 3.3). Only the search for orders includes this.
 */
#ifndef SHOP_REORDER_H
#define SHOP_REORDER_H

#include "shop.h"

struct shop_reorder;
struct shop_reorder *shop_reorder_new(const struct shop *);
void shop_reorder_free(struct shop_reorder *);
/*
 * Rebuild fill and drain of an order with at most PIECES in flight per stage, and move operations into free slots. If
 * false is returned, the order is incomplete.
 */
bool shop_reorder(struct shop_reorder *, struct schedule *, int pieces);

#endif
