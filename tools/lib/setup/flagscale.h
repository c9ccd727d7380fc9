/*
 * FlagScale: how many layers are recomputed by stage and micro-batch, in lists as its arguments have them: so many
 * stages, then for so many micro-batches so many layers each.
 */
#ifndef FLAGSCALE_H
#define FLAGSCALE_H

#include "lib/field/table.h"
#include "launch.h"

/*
 * The first layers of each piece that are recomputed, [chunk][stage], of pieces of LAYERS; *MICRO becomes the number of
 * micro-batches that the lists are for, and must be that if it is not 0. Exits where they say what cannot be.
 */
struct grid flagscale_read(const struct launch *, struct grid layers, int *micro);
/* Lists for MICRO micro-batches, as words of an argument; to be freed. */
char *flagscale_text(struct grid recomputed, int micro);

#endif
