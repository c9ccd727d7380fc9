/*
 * Equal pieces: layouts in which all pieces of a chunk have as many layers, but for what does not divide. Interleaved
 * schedules let the stages go through a chunk side by side, so that its slowest piece makes all of them wait: pieces
 * that are alike within their chunk are worth more than pieces that are alike from chunk to chunk.
 */
#ifndef EQUAL_PIECES_H
#define EQUAL_PIECES_H

#include "sapp-lp/model/problem.h"

/*
 * By local search over the layers of each chunk, the layout with the least step time, stages that do not fit being
 * recomputed as far as they go and the step counted longer by what they exceed: LAYERS[pieces]. Several are looked for,
 * each from another START (0 ... EQUAL_PIECES_STARTS - 1): a move takes a layer from every piece of one chunk to those
 * of another, and does not lead from any to all others. False: there is none that contents can say.
 */
enum { EQUAL_PIECES_STARTS = 16 };
bool equal_pieces_find(const struct problem *, int start, double deadline, int *layers);

#endif
