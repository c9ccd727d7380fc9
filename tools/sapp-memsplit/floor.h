/* Floor: stages whose peak is at a moment outside of the pipeline, without activations. */
#ifndef FLOOR_H
#define FLOOR_H

#include "split.h"

/*
 * Find the middle stages, from some stage on, whose peaks a constant per layer explains far better than the pipeline
 * does. Change their equations in the system accordingly. The peak of a stage is then the maximum of both moments.
 * Return false if no such stages exist, or if measurements are too few.
 */
bool floor_find(struct system *, const struct split *);
/* Print the stages of the floor, and its MB per layer, to stderr. */
void floor_say(const struct split *);

#endif
