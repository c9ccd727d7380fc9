/* Why stages wait, and what it would bring to relieve them. */
#ifndef IDLE_H
#define IDLE_H

#include "lib/simulate/simulation.h"

struct idle idle_of(const struct simulation *);
/* For each stage: ms by which the step shortens for each ms taken off the stage's work on a micro-batch. */
struct list slopes_of(const struct simulation *);

#endif
