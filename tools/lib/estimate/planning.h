/* Configurations as questions for the planner: model, layer and pipeline records. */
#ifndef PLANNING_H
#define PLANNING_H

#include <stdio.h>

#include "estimator.h"

/*
 * Write the question for a configuration. TOWER_FIRST: layers that precede the language model become HEAD layers. Such
 * layers must keep no activations.
 */
void planning_write(FILE *, struct estimator *, const struct architecture *, const struct cluster *,
    const struct configuration *, const char *name, bool tower_first);

#endif
