/* Unmeasured transfers: the effect of their unknown times on the result. */
#ifndef UNMEASURED_H
#define UNMEASURED_H

#include <stdio.h>

#include "run.h"

/*
 * Print by how much the shortest step grows per ms of transfer, and the transfer time from which another fitting run is
 * shorter. Prints nothing if a run has transfer times, or if no run has transfers.
 */
void unmeasured_report(FILE *, const struct sim_runs *);

#endif
