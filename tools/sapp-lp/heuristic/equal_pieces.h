/*
 * Equal pieces: layouts with equally many layers in all pieces of a chunk, except the remainder. In interleaved
 * schedules stages run a chunk in parallel, so that its slowest piece delays all of them: equality within a chunk
 * matters more than between chunks.
 */
#ifndef EQUAL_PIECES_H
#define EQUAL_PIECES_H

#include "sapp-lp/model/problem.h"

/*
 * Find LAYERS[pieces] of least step by local search over the layers of each chunk. Stages that do not fit are fully
 * recomputed, with their excess added to the step. A move takes a layer from every piece of a chunk to another chunk,
 * which does not connect all layouts: try START 0 ... EQUAL_PIECES_STARTS - 1. Return false if no contents have such
 * layers.
 */
enum { EQUAL_PIECES_STARTS = 16 };
bool equal_pieces_find(const struct problem *, int start, double deadline, int *layers);

#endif
