/*
 * Prepared: costs, parameters and splits depend on few degrees, so that most configurations find theirs ready.
 */
#ifndef PREPARED_H
#define PREPARED_H

#include "estimator.h"

struct prepared;

/* WITHOUT: an anchor that is left out, or -1. All that is pointed to must outlive it. */
struct prepared *prepared_new(const struct architecture *, const struct cluster *, const struct estimating *,
    const struct measured *, int without);
void prepared_free(struct prepared *);

/* These last until the next question of the same. */
const struct costs *prepared_costs(struct prepared *, const struct configuration *);
const struct device_parameters *prepared_parameters(struct prepared *, const struct configuration *);
const struct stage_split *prepared_split(struct prepared *, const struct configuration *, const struct costs *);

#endif
