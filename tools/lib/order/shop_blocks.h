/*
 * Blocks of a shop with two chunks forth and back: slots of a micro-batch's operations, repeated each period (Qi et
 * al., arXiv 2405.15362). Private to the search for orders.
 */
#ifndef SHOP_BLOCKS_H
#define SHOP_BLOCKS_H

#include "shop.h"

enum { QUEUES = 4 };

struct vblock {
	uint8_t step[QUEUES];	/* slots to the next stage, for F0, F1, B1, B0 */
	uint8_t turn[3];	/* from F0 to F1 on the last stage, to B1 on the first, to B0 on the last */
	int length;		/* slots */
	double time[RUNGS];	/* times of a step with this block, set by the caller */
};

struct vblocks {
	int n;
	struct vblock *at;
};

/* Return the N shortest blocks without collisions and within the limits; caller frees. */
struct vblocks shop_blocks(const struct shop *, int n);
/* Get the start slots, [stage][queue][micro], and the order of operations, with W in free slots. */
void shop_block_lay(const struct shop *, const struct vblock *, double *slot, struct schedule *);

#endif
