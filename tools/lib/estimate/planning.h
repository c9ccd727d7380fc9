/* Write configurations as questions for the planner: model, layers and pipeline records. */
#ifndef PLANNING_H
#define PLANNING_H

#include <stdio.h>

#include "estimator.h"

/*
 * Write the question for a configuration. TOWER_FIRST: layers before a language model, which must keep no activations,
 * become HEAD layers.
 */
void planning_write(FILE *, struct estimator *, const struct architecture *, const struct cluster *,
    const struct configuration *, const char *name, bool tower_first);

#endif
