/*
 * The kind of each layer, from arguments of Megatron-LM. The result is texts with a letter for each layer, which the
 * formulas of the family "megatron" read.
 */
#ifndef BLOCKS_H
#define BLOCKS_H

#include "draft.h"

/*
 * Add texts to A from its settings. A hybrid's pattern gives "symbols" and "mtp_symbols", and sets the number of
 * layers. "experts_at", "linear_at" and "window_at" have 'y' or 'n' for each layer. "sliding_window" has a number of
 * tokens. Return whether layers differ from the layers of a plain network.
 */
bool blocks_read(struct draft *, struct bag *a);

#endif
