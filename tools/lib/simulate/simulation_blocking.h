/* Delays that keep both stages busy. Private to the simulation's own files. */
#ifndef SIMULATION_BLOCKING_H
#define SIMULATION_BLOCKING_H

#include "simulation.h"

/* simulation_run() of a load whose delays are blocking. */
bool simulation_run_blocking(struct simulation *, const struct schedule *, const struct load *);

#endif
