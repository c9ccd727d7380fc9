/*
 * Run borders: with one chunk a stage each stage holds a run of consecutive layers.  Where these runs may begin and
 * end, in plans shorter than some horizon.
 */
#ifndef RUN_BORDERS_H
#define RUN_BORDERS_H

#include "sapp-lp/model/problem.h"

/* ms that a stage works in a step with CONTENT[chunks] in its first CHUNKS, each in its fastest mix. */
double least_busy(const struct problem *, int stage, const int *content, int chunks);
/* Whether STAGE can hold the layers from FIRST to before END below the horizon; then it can hold any part of them. */
bool run_fits(const struct problem *, int stage, int first, int end, double horizon);
/*
 * The range of layers with which each stage can begin: LATEST when those before it hold as many as they can, EARLIEST
 * when those from it on do. Both [stages + 1], the last one for the end of the model.
 */
void run_borders(const struct problem *, double horizon, int *earliest, int *latest);

#endif
