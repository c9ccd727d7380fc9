/* Fit a cluster's efficiency to measured steps: least squares on the logarithms of estimate / measurement. */
#ifndef CALIBRATE_H
#define CALIBRATE_H

#include <stdio.h>

#include "lib/estimate/inputs.h"
#include "lib/estimate/measured.h"

/*
 * FILE has network records, each followed by its run records: a candidate's members and step_time, ms. Writes the
 * cluster with the best figures near the given ones to OUT, or if a table of operators was measured its gap and
 * sustain; errors before and after to SAID. Exits if there are no runs.
 */
void calibrate(const char *file, struct inputs *, const struct measured *, FILE *out, FILE *said);

#endif
