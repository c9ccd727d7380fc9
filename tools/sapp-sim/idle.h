/* Idle times: why stages wait. */
#ifndef IDLE_H
#define IDLE_H

#include "lib/simulate/simulation.h"

struct idle idle_of(const struct simulation *);

#endif
