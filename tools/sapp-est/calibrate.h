/*
 * Calibration: fit a cluster's efficiency to measured steps, by least squares of the logarithms of estimate /
 * measurement.
 */
#ifndef CALIBRATE_H
#define CALIBRATE_H

#include <stdio.h>

#include "lib/estimate/inputs.h"
#include "lib/estimate/measured.h"

/*
 * Fit to the runs in FILE: network records, each followed by its run records. A run record has the members of a
 * candidate and step_time, ms. Write the cluster with the best figures near the given figures to OUT; if a table of
 * operators was measured, write the table's gap and sustain. Print the errors before and after to SAID. Exits if no
 * runs exist.
 */
void calibrate(const char *file, struct inputs *, const struct measured *, FILE *out, FILE *said);

#endif
