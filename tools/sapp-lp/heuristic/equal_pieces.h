/*
 * Equal pieces: layouts in which all pieces of a chunk have equally many layers, except for a remainder. In interleaved
 * schedules the stages run a chunk in parallel, and the slowest piece delays all of them. So equality within a chunk
 * matters more than equality between chunks.
 */
#ifndef EQUAL_PIECES_H
#define EQUAL_PIECES_H

#include "sapp-lp/model/problem.h"

/*
 * Find LAYERS[pieces] of least step by local search over the number of layers of each chunk. Stages that do not fit are
 * fully recomputed, and their excess is added to the step. A move takes a layer from every piece of a chunk and adds it
 * to another chunk. These moves do not reach all layouts from one start, so try START 0 to EQUAL_PIECES_STARTS - 1.
 * Return false if no contents have such numbers of layers.
 */
enum { EQUAL_PIECES_STARTS = 16 };
bool equal_pieces_find(const struct problem *, int start, double deadline, int *layers);

#endif
