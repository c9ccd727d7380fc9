/*
 * Blocks: which layers are of which kind, as arguments of Megatron-LM say it, as texts of a letter a layer for the
 * family "megatron" of the tables.
 */
#ifndef BLOCKS_H
#define BLOCKS_H

#include "draft.h"

/*
 * Put those that A's settings say: "symbols" and "mtp_symbols" of a hybrid's pattern; "experts_at", "linear_at" and
 * "window_at", 'y' or 'n' for each layer; "sliding_window". The network's layers are those of the pattern where it is a
 * hybrid. True: layers are not all as a plain network has them.
 */
bool blocks_read(struct draft *, struct bag *a);

#endif
