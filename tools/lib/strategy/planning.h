/* Configurations as questions for the planner: a model, its layers and a pipeline, as records. */
#ifndef PLANNING_H
#define PLANNING_H

#include <stdio.h>

#include "estimator.h"

/*
 * Write the records of the question that sapp-lp answers for this configuration; with TOWER_FIRST, layers in front of a
 * language model, which must keep no activations, are HEAD layers.
 */
void planning_write(FILE *, struct estimator *, const struct architecture *, const struct cluster *,
    const struct configuration *, const char *name, bool tower_first);

#endif
