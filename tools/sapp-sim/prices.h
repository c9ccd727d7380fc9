/* Prices: what makes a step longer costs what the step without it, which is simulated, takes less. */
#ifndef PRICES_H
#define PRICES_H

#include <stdio.h>

#include "lib/simulate/simulation.h"

/* The five highest of what was simulated, as struct price, the highest first; the order of operations stays. */
struct array prices_of(const struct simulation *);
/* For people. STEP: ms. */
void prices_report(FILE *, const struct array *, double step);

#endif
