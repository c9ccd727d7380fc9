/* Least absolute deviations: what one measurement that is off cannot pull away. */
#ifndef ROBUST_H
#define ROBUST_H

#include "lib/measure/leastsquares.h"

/*
 * Replace x and residual of a solved system by those with the least sum of |b - A x|; drops the standard
 * errors.
 */
void robust_solve(struct leastsquares *, const double *a, const double *b);

#endif
