/*
 * Settings of MindFormers that offload activations. If swap_config has "swap", all lists of recompute_config and
 * swap_config are indices of layers, and not numbers of layers per piece.
 */
#ifndef SWAP_H
#define SWAP_H

#include <stdio.h>

#include "lib/model/nesting.h"
#include "training.h"

/*
 * Return the value of a key of recompute_config or swap_config in one line (caller frees), or NULL if no layer is in
 * it. Exit for the reasons of swap_write().
 */
char *swap_text(const struct pattern_sets *, enum training_key, const int *kind, int n, struct place at);
/*
 * Write recompute_config and swap_config for N layers with KIND[n]. Exit, naming AT, if these lists cannot express a
 * kind.
 */
void swap_write(FILE *, const struct pattern_sets *, const int *kind, int n, struct place at);
/*
 * Return the kind of each of N layers in a file. Caller frees. Exit if no kind has a layer's recomputation and
 * offloading.
 */
int *swap_read(const struct pattern_sets *, const struct training *, int n);

#endif
