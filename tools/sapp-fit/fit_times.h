/* Measured times of layers and steps, written as coefficients of a single run each. */
#ifndef FIT_TIMES_H
#define FIT_TIMES_H

#include "fitting.h"

/* Write the measured time of a layer in each run: its wall time, or if that is unknown the sum of its kernels. */
void fit_times(struct fitting *, const struct fit_row *rows);
/*
 * Write the time of a step outside of pipeline and collectives, and the fraction of gradient collectives that is
 * hidden.
 */
void fit_outside(const struct fitting *, const struct fit_sample *);

#endif
