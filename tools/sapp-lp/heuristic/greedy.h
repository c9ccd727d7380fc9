/*
 * Greedy: initial placements. Pieces are filled in model order with as many layers as fit their memory, leaving at
 * least one for every later piece. With one chunk per stage that is exact, even with several bodies; with several
 * chunks each piece gets a fixed share of its stage's memory.
 */
#ifndef GREEDY_H
#define GREEDY_H

#include "sapp-lp/model/problem.h"

/*
 * Return the least MB by which limits must rise for a greedy placement, to 1e-8 MB, and get it in LAYERS[pieces].
 * Return INFINITY if the lists of the training YAML can express no such placement.
 */
double greedy_memory(const struct problem *, int *layers);
/*
 * Find the placement within the limits whose busiest piece takes least time, or the best one by DEADLINE (s of
 * clock.h). Return false if greedy filling finds none.
 */
bool greedy_time(const struct problem *, double deadline, int *layers);

#endif
