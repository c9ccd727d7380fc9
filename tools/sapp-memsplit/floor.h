/* Floor: stages with their peak at a moment without activations, outside the pipeline. */
#ifndef FLOOR_H
#define FLOOR_H

#include "split.h"

/*
 * Find the middle stages, from some stage on, whose peaks fit a constant per layer far better than the pipeline, and
 * change the system accordingly. The peak of a stage is then the maximum of both. Return false if none exist or too few
 * measurements.
 */
bool floor_find(struct system *, const struct split *);
/* Print the stages of the floor and the MB per layer to stderr. */
void floor_say(const struct split *);

#endif
