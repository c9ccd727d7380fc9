/* Why stages wait, and what relieving them would save. */
#ifndef IDLE_H
#define IDLE_H

#include "lib/simulate/simulation.h"

struct idle idle_of(const struct simulation *);
/* Return for each stage the ms saved per step for each ms saved per micro-batch. */
struct list slopes_of(const struct simulation *);

#endif
