/* Measured times of layers and steps, written as coefficients of one run each. */
#ifndef FIT_TIMES_H
#define FIT_TIMES_H

#include "fitting.h"

/* Write a layer's measured time in each run: wall time if known, else the sum of its kernels. */
void fit_times(struct fitting *, const struct fit_row *rows);
/* Write the time of a step outside pipeline and collectives, and the hidden fraction of gradient collectives. */
void fit_outside(const struct fitting *, const struct fit_sample *);

#endif
