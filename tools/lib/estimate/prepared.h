/* Prepared: a cache of costs, parameters and splits, which depend on few degrees. */
#ifndef PREPARED_H
#define PREPARED_H

#include "estimator.h"

struct prepared;

/* WITHOUT: index of an anchor to omit, or -1. All pointers must outlive it. */
struct prepared *prepared_new(const struct architecture *, const struct cluster *, const struct estimating *,
    const struct measured *, int without);
void prepared_free(struct prepared *);

/* Results are valid until the next call of the same function. */
const struct costs *prepared_costs(struct prepared *, const struct configuration *);
const struct device_parameters *prepared_parameters(struct prepared *, const struct configuration *);
const struct stage_split *prepared_split(struct prepared *, const struct configuration *, const struct costs *);

#endif
