/*
 * Blocks: the kind of each layer from arguments of Megatron-LM, as texts with a letter per layer for the family
 * "megatron" of the tables.
 */
#ifndef BLOCKS_H
#define BLOCKS_H

#include "draft.h"

/*
 * Add texts from A's settings: "symbols" and "mtp_symbols" of a hybrid's pattern; "experts_at", "linear_at" and
 * "window_at", 'y' or 'n' per layer; "sliding_window". A hybrid's pattern sets the number of layers. Return whether
 * layers differ from those of a plain network.
 */
bool blocks_read(struct draft *, struct bag *a);

#endif
