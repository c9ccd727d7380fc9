/*
 * Blocks of a shop whose two chunks per stage go forth and back. A block has a slot for each operation of a
 * micro-batch, and is repeated once per period (Qi et al., arXiv 2405.15362). Only the search for orders includes this.
 */
#ifndef SHOP_BLOCKS_H
#define SHOP_BLOCKS_H

#include "shop.h"

enum { QUEUES = 4 };

struct vblock {
	/* number of slots from a stage to the next one in the data's order, for F0, F1, B1, B0 */
	uint8_t step[QUEUES];
	/* number of slots from F0 to F1 on the last stage, F1 to B1 on the first, B1 to B0 on the last */
	uint8_t turn[3];
	int length;		/* number of slots of the block */
	double time[RUNGS];	/* ms of a step with this block, set by the caller */
};

struct vblocks {
	int n;
	struct vblock *at;
};

/* Return the N shortest blocks without collisions that stay within the memory limits. Caller frees. */
struct vblocks shop_blocks(const struct shop *, int n);
/*
 * Lay out a block for every micro-batch. Get the slot at which each operation starts, [stage][queue][micro]. Get the
 * order of the operations, with each W in a free slot.
 */
void shop_block_lay(const struct shop *, const struct vblock *, double *slot, struct schedule *);

#endif
