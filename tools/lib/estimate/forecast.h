/* Estimates as records, in milliseconds and megabytes. */
#ifndef FORECAST_H
#define FORECAST_H

#include "lib/record/prediction.h"
#include "estimator.h"

/* Estimate a configuration. Caller frees the result with fields_free(&prediction_fields). */
struct prediction forecast(struct estimator *, const struct configuration *, const struct cluster *,
    const struct measured *);
/* Add the parts of layers, embedding and head to the record. */
void forecast_parts(struct prediction *, struct estimator *, const struct architecture *, const struct cluster *,
    const struct configuration *);

#endif
