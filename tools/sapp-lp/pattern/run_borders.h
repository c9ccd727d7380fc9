/*
 * Run borders: the layers at which a stage's run of layers may begin and end in plans shorter than a horizon. Only for
 * one chunk per stage.
 */
#ifndef RUN_BORDERS_H
#define RUN_BORDERS_H

#include "sapp-lp/model/problem.h"

/*
 * Return the ms that a stage works in a step if its first CHUNKS chunks have CONTENT[chunks], each in its fastest mix.
 */
double least_busy(const struct problem *, int stage, const int *content, int chunks);
/*
 * Return whether STAGE can hold the layers from FIRST to before END in a plan shorter than HORIZON. If so, it can also
 * hold any part of these layers.
 */
bool run_fits(const struct problem *, int stage, int first, int end, double horizon);
/*
 * Get the range of each stage's first layer. LATEST assumes that all stages before it hold their maximum. EARLIEST
 * assumes that the stage and all stages after it hold their maximum. Both are [stages + 1]; the last entry is the end
 * of the model.
 */
void run_borders(const struct problem *, double horizon, int *earliest, int *latest);

#endif
