/*
 * Greedy: first placements of the layers.  The pieces are filled in the model's order, each with as many layers as its
 * memory takes, but one at least left for every piece behind it.  With one chunk a stage that is exact, with several
 * bodies too; with several chunks, every piece is given a fixed share of its stage's memory.
 */
#ifndef GREEDY_H
#define GREEDY_H

#include "sapp-lp/model/problem.h"

/*
 * The least MB by which the limits must be raised for all layers to be placed so, to 1e-8 MB; LAYERS[pieces] is that
 * placement. INFINITY: there is none that the lists of the training YAML can express.
 */
double greedy_memory(const struct problem *, int *layers);
/*
 * Within the limits, the placement whose busiest piece is least busy, or at DEADLINE (s of clock.h) the best one until
 * then; false when the greedy filling finds none.
 */
bool greedy_time(const struct problem *, double deadline, int *layers);

#endif
