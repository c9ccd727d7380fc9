/* Megatron-LM's --hybrid-layer-pattern: a symbol per block, '|' between pieces, '/' before MTP blocks. */
#ifndef HYBRID_H
#define HYBRID_H

#include <stdbool.h>

#include "lib/base/place.h"
#include "lib/base/table.h"

/* Get the blocks of each piece [chunk][stage], and the number of multi-token prediction depths. Exits, naming AT. */
void hybrid_read(const char *pattern, int stages, struct grid *layers, int *extra, struct place at);
/* Return the symbol of a layer with a single block, named by its class and layer number, or NULL if none exists. */
const char *hybrid_symbol(const char *name);
/* Return whether only hybrids have layers of that name. */
bool hybrid_name(const char *name);

#endif
