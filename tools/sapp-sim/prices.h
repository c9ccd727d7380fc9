/* Prices: the price of a cause is the time by which the step is shorter in a simulation without the cause. */
#ifndef PRICES_H
#define PRICES_H

#include <stdio.h>

#include "lib/simulate/simulation.h"

/*
 * Return the five highest prices of a simulation as struct price, in descending order. The order of operations stays
 * the same.
 */
struct array prices_of(const struct simulation *);
/* Return the prices of links only, of those slower than twice the usual time. */
struct array prices_of_links(const struct simulation *);
/* Print prices for people. STEP: ms. */
void prices_report_links(FILE *, const struct array *, double step);
void prices_report(FILE *, const struct array *, double step);

#endif
