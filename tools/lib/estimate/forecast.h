/* Estimates as records: milliseconds and megabytes. */
#ifndef FORECAST_H
#define FORECAST_H

#include "lib/record/prediction.h"
#include "estimator.h"

/* Free with fields_free(&prediction_fields). */
struct prediction forecast(struct estimator *, const struct configuration *, const struct cluster *,
    const struct measured *);
/* Add the parts of layers, embedding and head. */
void forecast_parts(struct prediction *, struct estimator *, const struct architecture *, const struct cluster *,
    const struct configuration *);

#endif
