/* Fitted: a coefficient under construction. */
#ifndef FITTED_H
#define FITTED_H

#include <stdio.h>

#include "sample.h"

extern const char *const regime_names[REGIME];

/* Add a term, merging equal exponents. */
void fitted_add(struct coefficient *, const struct power *, double value);
void fitted_set_place(struct coefficient *, const struct place_of *);
/* Return whether a run has the factor; if not, the factor counts as 1. */
bool fitted_said(const struct observed_run *, int factor);
/* Write and free it, with the regime of the runs and the factors they share. */
void fitted_put(FILE *, const struct observed_run *const *run, size_t n, struct coefficient *);
/* Write and free it for a single run with the number VALUE. */
void fitted_put_alone(FILE *, const struct observed_run *, struct coefficient *, double value);
void fitted_free(struct coefficient *);

#endif
