/* Megatron-LM's --pipeline-model-parallel-layout. */
#ifndef LAYOUT_H
#define LAYOUT_H

#include "lib/base/place.h"
#include "lib/base/table.h"

/*
 * Parse a layout, whose pieces are in data order. E is the embedding, t a layer, m a multi-token prediction layer, L
 * the loss. '|' separates pieces, x*n and (..)*n repeat, commas have no meaning. A layout may also be a list with a
 * list per piece, of 'embedding', 'decoder', 'mtp' and 'loss'. Get the numbers of t in LAYERS and of m in EXTRA,
 * [chunk][stage]. Exit, naming AT, unless it is a layout for STAGES stages.
 */
void layout_read(const char *text, int stages, struct grid *layers, struct grid *extra, struct place at);
/* Return the shortest text of a layout. Caller frees. */
char *layout_write(struct grid layers, struct grid extra);

#endif
