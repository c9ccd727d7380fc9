/*
 * The kind of each layer, from arguments of Megatron-LM. The result is texts with a letter for each layer, which the
 * formulas of the family "megatron" read.
 */
#ifndef BLOCKS_H
#define BLOCKS_H

#include "draft.h"

/*
 * Add texts to A from its settings. For a hybrid they are "symbols" and "mtp_symbols", from its pattern, which also
 * sets the number of layers. Others are "experts_at", "linear_at" and "window_at", with 'y' or 'n' for each layer, and
 * "sliding_window". Return whether layers differ from those of a plain network.
 */
bool blocks_read(struct draft *, struct bag *a);

#endif
