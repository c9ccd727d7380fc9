/*
 * Moves: shorten an order by moving operations of its critical path, as in job shops (van Laarhoven et al., Operations
 * Research 40, 1992), by late acceptance (Burke and Bykov, European Journal of Operational Research 258, 2017). Private
 * to the search for orders.
 */
#ifndef SHOP_MOVES_H
#define SHOP_MOVES_H

#include <stdint.h>

#include "shop.h"

/* Shorten a valid order at a lane, evaluating about OPERATIONS operations. Deterministic for a SEED. */
void shop_move(const struct shop *, struct schedule *, int lane, double operations, uint64_t seed);

#endif
