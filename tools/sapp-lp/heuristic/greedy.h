/*
 * Greedy: initial placements of layers. Each piece, in model order, is filled with as many layers as fit its memory,
 * leaving at least one layer for every later piece. With one chunk per stage greedy filling is exact, even with several
 * bodies. With several chunks each piece gets a fixed share of its stage's memory.
 */
#ifndef GREEDY_H
#define GREEDY_H

#include "sapp-lp/model/problem.h"

/*
 * Return the minimum MB by which limits must rise for a greedy placement, accurate to 1e-8 MB. Get this placement in
 * LAYERS[pieces]. Return INFINITY if the lists of the training YAML can express no greedy placement.
 */
double greedy_memory(const struct problem *, int *layers);
/*
 * Find the placement within the limits whose busiest piece takes the least time, or the best placement found by
 * DEADLINE (s of clock_now()). Return false if greedy filling finds none.
 */
bool greedy_time(const struct problem *, double deadline, int *layers);

#endif
