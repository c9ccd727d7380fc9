/* Configurations as questions for the planner: a model, its layers and a pipeline, as records. */
#ifndef PLANNING_H
#define PLANNING_H

#include <stdio.h>

#include "estimator.h"

/* Write the records of the question that sapp-lp answers for this configuration. */
void planning_write(FILE *, struct estimator *, const struct architecture *, const struct cluster *,
    const struct configuration *, const char *name);

#endif
