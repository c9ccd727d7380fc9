/* Prices: what makes a step longer costs what the step without it, which is simulated, takes less. */
#ifndef PRICES_H
#define PRICES_H

#include <stdio.h>

#include "lib/simulate/simulation.h"

/* The five highest of what was simulated, as struct price, the highest first; the order of operations stays. */
struct array prices_of(const struct simulation *);
/* Of links that take more than twice what is usual alone. */
struct array prices_of_links(const struct simulation *);
/* For people. STEP: ms. */
void prices_report_links(FILE *, const struct array *, double step);
void prices_report(FILE *, const struct array *, double step);

#endif
