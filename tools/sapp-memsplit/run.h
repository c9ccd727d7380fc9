/* Run: properties of the measured run in addition to memory, for the planner. */
#ifndef RUN_H
#define RUN_H

#include <stdio.h>

#include "input.h"

/* Write the job record with stages, micro-batches, memory limit and transfers, as known. */
void run_write(FILE *, const struct input *);
/* Add the time outside of the pipeline to the model, from step records of the stream, unless the model has it. */
void run_overhead(struct model *, const struct input *);

#endif
