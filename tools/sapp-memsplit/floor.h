/* Floor: stages whose peak is not the pipeline's, but that of a moment without activations. */
#ifndef FLOOR_H
#define FLOOR_H

#include "split.h"

/*
 * Find the middle stages, from one on, whose peaks are explained far better by so much for each of their layers than by
 * the pipeline, and change the system accordingly. The peak of a stage is the larger of both. False: there are none, or
 * the measurements are too few to tell.
 */
bool floor_find(struct system *, const struct split *);
/* Which they are, and how much, on standard error. */
void floor_say(const struct split *);

#endif
