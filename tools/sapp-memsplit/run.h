/* Run: further properties of the measured run, for the planner. */
#ifndef RUN_H
#define RUN_H

#include <stdio.h>

#include "input.h"

/* Write the job record: stages, micro-batches, memory limit and transfers, if known. */
void run_write(FILE *, const struct input *);
/* Add the time outside the pipeline from step records of the stream, unless the model has it. */
void run_overhead(struct model *, const struct input *);

#endif
