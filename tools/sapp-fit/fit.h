/* Fit operator coefficients to the runs of one regime; list the coefficients that those runs leave undetermined. */
#ifndef FIT_H
#define FIT_H

#include "coverage.h"

/* TOLERANCE: relative error of the numbers. Adds the coverage of candidates. */
void fit_write(FILE *, const struct fit_sample *, struct coverages *);

#endif
