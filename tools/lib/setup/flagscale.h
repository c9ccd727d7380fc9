/*
 * FlagScale: numbers of recomputed layers by stage and micro-batch, in lists of its arguments: a number of stages, then
 * pairs of a number of micro-batches and their layers.
 */
#ifndef FLAGSCALE_H
#define FLAGSCALE_H

#include "lib/base/table.h"
#include "launch.h"

/*
 * Return the number of recomputed first layers of each piece, [chunk][stage], of LAYERS layers. *MICRO: number of
 * micro-batches in the lists; must match unless 0. Exits if the lists are contradictory.
 */
struct grid flagscale_read(const struct launch *, struct grid layers, int *micro);
/* Return the lists for MICRO micro-batches as words of an argument; caller frees. */
char *flagscale_text(struct grid recomputed, int micro);

#endif
