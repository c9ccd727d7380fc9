/*
 * Order search: shorten a step by moving operations of its longest chain, one at a time, as in job shops
 * (van Laarhoven et al., Operations Research 40, 1992).
 */
#ifndef ORDER_SEARCH_H
#define ORDER_SEARCH_H

#include <stdint.h>

#include "list_scheduling.h"

/*
 * The shortest list schedule within the room in place of a schedule, if it is shorter; lists of up to so many
 * OPERATIONS in all. Returns the step time in ms; infinity: neither runs.
 */
double order_list(struct schedule *, const struct load *, const struct room *, double operations);
/*
 * Improve the order of a schedule that runs, within the room, simulating up to so many OPERATIONS in all. Returns its
 * step time in ms, which is never longer than before. The same arguments give the same order.
 */
double order_search(struct schedule *, const struct load *, const struct room *, double operations, uint64_t seed);

#endif
