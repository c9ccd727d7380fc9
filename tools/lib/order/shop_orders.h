/*
 * Search for orders of a shop: generate orders within a budget of work, and take the shortest at the real transfer
 * times.
 */
#ifndef SHOP_ORDERS_H
#define SHOP_ORDERS_H

#include "lib/schedule/schedule.h"
#include "lib/simulate/load.h"
#include "lib/simulate/room.h"

/*
 * Replace the schedule by the shortest order found. Keep the schedule if it fits and no order is shorter. Its backwards
 * must be split, and its stages have one chunk, or two that go forth and back.
 *
 * Evaluate about OPERATIONS operations, and none after DEADLINE (clock_now(); infinity: no deadline).
 *
 * The orders generated do not depend on the transfer times, so slower transfers never shorten the step. The step of
 * each order is a longest path, which cannot shrink when transfer times grow. Neither can the minimum over orders.
 */
void shop_orders(struct schedule *, const struct load *, const struct room *, double operations, double deadline);

#endif
