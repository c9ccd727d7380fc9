/* Fitted: a coefficient that is being made. */
#ifndef FITTED_H
#define FITTED_H

#include <stdio.h>

#include "sample.h"

extern const char *const regime_names[REGIME];

/* Add a term. Terms with equal exponents are merged. */
void fitted_add(struct coefficient *, const struct power *, double value);
void fitted_set_place(struct coefficient *, const struct place_of *);
/* Return whether a run has the factor. A missing factor counts as 1. */
bool fitted_said(const struct observed_run *, int factor);
/* Write the coefficient and free it. It gets the regime of the N runs, and the factors that all of them share. */
void fitted_put(FILE *, const struct observed_run *const *run, size_t n, struct coefficient *);
/* Write the coefficient of a single run, with the number VALUE, and free it. */
void fitted_put_alone(FILE *, const struct observed_run *, struct coefficient *, double value);
void fitted_free(struct coefficient *);

#endif
