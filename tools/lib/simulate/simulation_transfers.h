/* Runs in which transfers take place as a framework makes them. Private to the simulation's own files. */
#ifndef SIMULATION_TRANSFERS_H
#define SIMULATION_TRANSFERS_H

#include "simulation.h"

/* simulation_run() of a load whose transfers are not hidden. */
bool simulation_run_transfers(struct simulation *, const struct schedule *, const struct load *);

#endif
