/* Simulation of transfers as frameworks implement them. Only the simulation's own files include this. */
#ifndef SIMULATION_TRANSFERS_H
#define SIMULATION_TRANSFERS_H

#include "simulation.h"

/* As simulation_run(), for a load whose transfers are not hidden. */
bool simulation_run_transfers(struct simulation *, const struct schedule *, const struct load *);

#endif
