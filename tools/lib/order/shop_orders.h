/* Orders of a shop: generate orders within a budget and take the shortest at the real transfer times. */
#ifndef SHOP_ORDERS_H
#define SHOP_ORDERS_H

#include "lib/schedule/schedule.h"
#include "lib/simulate/load.h"
#include "lib/simulate/room.h"

/*
 * Replace the schedule by the shortest order found, or keep it if it fits and none is shorter. Backwards are split,
 * with one chunk per stage, or two forth and back. Evaluates about OPERATIONS operations, none after DEADLINE
 * (clock_now(); infinity: none). The orders generated do not depend on transfer times. So slower transfers never
 * shorten the step: the step of an order is a longest path, which cannot shrink when transfer times grow, and neither
 * can the minimum of such steps.
 */
void shop_orders(struct schedule *, const struct load *, const struct room *, double operations, double deadline);

#endif
