/*
 * Rows: layouts in which all pieces of a chunk have as many layers, but for what does not divide. Interleaved schedules
 * let the stages go through a chunk side by side, so that its slowest piece makes all of them wait: pieces that are
 * alike within their chunk are worth more than pieces that are alike from chunk to chunk.
 */
#ifndef ROWS_H
#define ROWS_H

#include "sapp-lp/model/problem.h"

/*
 * By local search over the layers of each chunk, the layout with the least step time, stages that do not fit being
 * recomputed as far as they go and the step counted longer by what they exceed: LAYERS[pieces]. Several are looked for,
 * each from another START (0 ... ROWS_STARTS - 1): moving one row at a time does not lead from any to all others.
 * False: there is none that contents can say.
 */
enum { ROWS_STARTS = 16 };
bool rows_find(const struct problem *, int start, double deadline, int *layers);

#endif
