/* Robust: least absolute deviations, a fit that a single wrong measurement cannot distort. */
#ifndef ROBUST_H
#define ROBUST_H

#include "lib/measure/leastsquares.h"

/* Replace x and residual of a solved system by those that minimise the sum of |b - A x|. Drop the standard errors. */
void robust_solve(struct leastsquares *, const double *a, const double *b);

#endif
