/*
 * Swap: settings of MindFormers that offload activations.  With swap_config: swap, all lists of recompute_config have
 * indices of layers of the model instead of numbers for each piece, and so have those of swap_config.
 */
#ifndef SWAP_H
#define SWAP_H

#include <stdio.h>

#include "lib/model/nesting.h"
#include "training.h"

/*
 * The value of a key of recompute_config or swap_config in one line, to be freed; NULL: it says nothing. Exits as
 * swap_write() does.
 */
char *swap_text(const struct pattern_sets *, enum training_key, const int *kind, int n, struct place at);
/* Write recompute_config and swap_config for N layers of the KIND[n] each. Exits naming AT on a kind without words. */
void swap_write(FILE *, const struct pattern_sets *, const int *kind, int n, struct place at);
/* The kinds of N layers by a file, to be freed. Exits where they are recomputed or offloaded as no kind is. */
int *swap_read(const struct pattern_sets *, const struct training *, int n);

#endif
