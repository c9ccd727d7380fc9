/* Unmeasured transfers: what they could change, where they were taken to need no time. */
#ifndef UNMEASURED_H
#define UNMEASURED_H

#include <stdio.h>

#include "run.h"

/*
 * For people: how much longer the shortest step gets by each ms of a transfer, and from which time on another run that
 * fits is the shortest. Prints nothing if a run has times of transfers, or if none has transfers.
 */
void unmeasured_report(FILE *, const struct runs *);

#endif
