/* A cluster's efficiency from measured steps: least squares on the logarithms of estimate over measurement. */
#ifndef CALIBRATE_H
#define CALIBRATE_H

#include <stdio.h>

#include "lib/record/cluster.h"

/*
 * FILE has network records, each before the run records of it: a candidate's members and step_time, ms. Writes the
 * cluster with the figures that come nearest and do not leave the given ones without need; errors before and after go
 * to SAID. Exits when there is no run in it.
 */
void calibrate(const char *file, const struct cluster *, FILE *out, FILE *said);

#endif
