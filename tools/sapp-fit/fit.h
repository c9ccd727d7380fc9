/*
 * Fit: coefficients of operators, fitted to the runs of one regime, and the coefficients that these runs leave
 * undetermined.
 */
#ifndef FIT_H
#define FIT_H

#include "coverage.h"

/* Fit and write the coefficients. TOLERANCE: relative error of the numbers. Adds the coverage of candidates. */
void fit_write(FILE *, const struct fit_sample *, struct coverages *);

#endif
