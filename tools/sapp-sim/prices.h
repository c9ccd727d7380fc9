/* Prices: the cost of a cause is the step time saved in a simulation without it. */
#ifndef PRICES_H
#define PRICES_H

#include <stdio.h>

#include "lib/simulate/simulation.h"

/* Return the five highest prices of a simulation as struct price, descending; the order of operations stays. */
struct array prices_of(const struct simulation *);
/* Return prices of links alone, slower than twice the usual. */
struct array prices_of_links(const struct simulation *);
/* Print for people. STEP: ms. */
void prices_report_links(FILE *, const struct array *, double step);
void prices_report(FILE *, const struct array *, double step);

#endif
