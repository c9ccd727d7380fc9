/* Order: export of the order of operations of a simulated schedule. */
#ifndef ORDER_H
#define ORDER_H

#include "run.h"

/*
 * Write the order of the only run as CSV, a row per stage. Exits if several runs exist, or if the format cannot express
 * the order.
 */
void order_write(const char *path, const struct sim_runs *);

#endif
