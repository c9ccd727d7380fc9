/* Layout: Megatron-LM's --pipeline-model-parallel-layout. */
#ifndef LAYOUT_H
#define LAYOUT_H

#include "lib/base/place.h"
#include "lib/base/table.h"

/*
 * Parse pieces in data order: E embedding, t layer, m multi-token prediction layer, L loss; '|' separates pieces, x*n
 * and (..)*n repeat, commas are ignored. Or a list of lists of 'embedding', 'decoder', 'mtp' and 'loss', one per piece.
 * Get the numbers of t and m in LAYERS and EXTRA [chunk][stage]. Exits, naming AT, unless it is a layout for STAGES
 * stages.
 */
void layout_read(const char *text, int stages, struct grid *layers, struct grid *extra, struct place at);
/* Return the layout in short form; caller frees. */
char *layout_write(struct grid layers, struct grid extra);

#endif
