/*
 * Swap: settings of MindFormers that offload activations. With swap_config: swap, all lists of recompute_config and
 * swap_config have indices of layers instead of numbers per piece.
 */
#ifndef SWAP_H
#define SWAP_H

#include <stdio.h>

#include "lib/model/nesting.h"
#include "training.h"

/*
 * Return the value of a key of recompute_config or swap_config in one line (caller frees), or NULL if the value is
 * empty. Exits like swap_write().
 */
char *swap_text(const struct pattern_sets *, enum training_key, const int *kind, int n, struct place at);
/*
 * Write recompute_config and swap_config for N layers of KIND[n]. Exits, naming AT, if the lists of these settings
 * cannot express a kind.
 */
void swap_write(FILE *, const struct pattern_sets *, const int *kind, int n, struct place at);
/* Return the kinds of N layers in a file; caller frees. Exits if no kind has a layer's recomputation and offloading. */
int *swap_read(const struct pattern_sets *, const struct training *, int n);

#endif
