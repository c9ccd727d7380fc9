/* Simulate transfers as frameworks implement them. Private to the simulation's files. */
#ifndef SIMULATION_TRANSFERS_H
#define SIMULATION_TRANSFERS_H

#include "simulation.h"

/* simulation_run() for a load with transfers that are not hidden. */
bool simulation_run_transfers(struct simulation *, const struct schedule *, const struct load *);

#endif
