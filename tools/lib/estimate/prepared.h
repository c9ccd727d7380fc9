/* A cache of costs, parameters and splits. Configurations share them, since they depend on few degrees. */
#ifndef PREPARED_H
#define PREPARED_H

#include "estimator.h"

struct prepared;

/* Create a cache. WITHOUT: index of an anchor to omit; -1: none. The other arguments must outlive the cache. */
struct prepared *prepared_new(const struct architecture *, const struct cluster *, const struct estimating *,
    const struct measured *, int without);
void prepared_free(struct prepared *);

/* Each result is valid until the next call of the same function. */
const struct costs *prepared_costs(struct prepared *, const struct configuration *);
const struct device_parameters *prepared_parameters(struct prepared *, const struct configuration *);
const struct stage_split *prepared_split(struct prepared *, const struct configuration *, const struct costs *);

#endif
