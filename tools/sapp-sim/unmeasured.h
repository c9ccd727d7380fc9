/* Unmeasured transfers: the effect of their times on the result. */
#ifndef UNMEASURED_H
#define UNMEASURED_H

#include <stdio.h>

#include "run.h"

/*
 * Print how much longer the shortest step gets per ms of transfer, and the time from which another fitting run is
 * shorter. Prints nothing if a run has transfer times, or none has transfers.
 */
void unmeasured_report(FILE *, const struct sim_runs *);

#endif
