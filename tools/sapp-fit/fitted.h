/* Fitted: a coefficient as it is put together, and written. */
#ifndef FITTED_H
#define FITTED_H

#include <stdio.h>

#include "sample.h"

extern const char *const regime_names[REGIME];

/* Add a term, to the one with the same exponents if there is. */
void fitted_add(struct coefficient *, const struct power *, double value);
void fitted_set_place(struct coefficient *, const struct place_of *);
/* Does a run say the factor? Where it does not, it counts as 1. */
bool fitted_said(const struct observed_run *, int factor);
/* Write it, with the regime of the runs and what of the factors all of them have, and free it. */
void fitted_put(FILE *, const struct observed_run *const *run, size_t n, struct coefficient *);
/* The same of one run, whose number VALUE is. */
void fitted_put_alone(FILE *, const struct observed_run *, struct coefficient *, double value);
void fitted_free(struct coefficient *);

#endif
