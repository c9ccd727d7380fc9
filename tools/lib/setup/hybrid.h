/*
 * Megatron-LM's --hybrid-layer-pattern. It has a symbol for each block, '|' between pieces, and '/' before the blocks
 * of multi-token prediction.
 */
#ifndef HYBRID_H
#define HYBRID_H

#include <stdbool.h>

#include "lib/base/place.h"
#include "lib/base/table.h"

/*
 * Get the number of blocks of each piece, [chunk][stage], and in *EXTRA the number of multi-token prediction depths.
 * Exit, naming AT, if the pattern is invalid.
 */
void hybrid_read(const char *pattern, int stages, struct grid *layers, int *extra, struct place at);
/*
 * Return the symbol of a layer that is a single block. NAME: class and number of the layer. Return NULL if it has no
 * symbol.
 */
const char *hybrid_symbol(const char *name);
/* Return whether layers of this name occur only in hybrids. */
bool hybrid_name(const char *name);

#endif
