/* Megatron-LM's --hybrid-layer-pattern: a symbol for each block, '|' between pieces, '/' before those of MTP. */
#ifndef HYBRID_H
#define HYBRID_H

#include <stdbool.h>

#include "lib/base/place.h"
#include "lib/field/table.h"

/* Blocks of each piece [chunk][stage], and how many depths predict further tokens; exits naming AT. */
void hybrid_read(const char *pattern, int stages, struct grid *layers, int *extra, struct place at);
/* The symbol of a layer that is one block, by its class with the number of a layer behind it; NULL: it has none. */
const char *hybrid_symbol(const char *name);
/* Is a layer of that name one that only hybrids have? */
bool hybrid_name(const char *name);

#endif
