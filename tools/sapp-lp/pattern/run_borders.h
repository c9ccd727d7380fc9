/*
 * Run borders: where the runs of layers that stages of one chunk each can hold may begin and end, in plans shorter than
 * some horizon.
 */
#ifndef RUN_BORDERS_H
#define RUN_BORDERS_H

#include "sapp-lp/model/problem.h"

/* ms: a stage is busy for so long in a step with these contents in its first CHUNKS, each in its fastest mix. */
double least_busy(const struct problem *, int stage, const int *content, int chunks);
/* Whether STAGE can hold the layers from FIRST up to END; then it can hold any part of them, too. */
bool run_fits(const struct problem *, int stage, int first, int end, double horizon);
/*
 * The range of layers with which each stage can begin, given that the stages before it (LATEST) and from it on
 * (EARLIEST) can hold no more than they can. Both [stages + 1], the last one for the end of the model.
 */
void run_borders(const struct problem *, double horizon, int *earliest, int *latest);

#endif
