/* Run: what is known of the run that was measured besides its memory, for those who plan with it. */
#ifndef RUN_H
#define RUN_H

#include <stdio.h>

#include "input.h"

/* The job record: stages, micro-batches, memory limit and transfers, as far as they are known. */
void run_write(FILE *, const struct input *);
/* What the step records of the stream say is outside the pipeline, unless the model has it already. */
void run_overhead(struct model *, const struct input *);

#endif
