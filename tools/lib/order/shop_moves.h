/*
 * Shorten an order by moves of operations on its critical path, as in job shops (van Laarhoven et al., Operations
 * Research 40, 1992). Moves are accepted by late acceptance (Burke and Bykov, European Journal of Operational Research
 * 258, 2017). Only the search for orders includes this.
 */
#ifndef SHOP_MOVES_H
#define SHOP_MOVES_H

#include <stdint.h>

#include "shop.h"

/*
 * Shorten a valid order under the transfer times of LANE. Evaluate about OPERATIONS operations. The result depends on
 * SEED alone.
 */
void shop_move(const struct shop *, struct schedule *, int lane, double operations, uint64_t seed);

#endif
