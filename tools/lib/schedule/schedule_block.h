/*
 * Building blocks of schedules whose stages hold two chunks (Qi et al., arXiv 2405.15362). Private to the schedule's
 * own files.
 */
#ifndef SCHEDULE_BLOCK_H
#define SCHEDULE_BLOCK_H

#include "schedule.h"

/*
 * The slot in which a micro-batch's operations begin on a stage, F and B of each chunk. The next micro-batch's begin
 * BLOCK_PERIOD later. SHIFT slots, less than a period, keep blocks from colliding; the first micro-batch's forwards
 * and the last one's backwards have nothing to collide with and do without them.
 */
enum { BLOCK_PERIOD = 6 };
struct block {
	int forward[2], backward[2], shift;
};

/*
 * Lay a block for each micro-batch over the slots of a stage, from OP on; weights' gradients take the slots left free.
 * Returns behind the last.
 */
struct op *block_lay(const struct block *, int micro, struct op *op);

/* What laying out without the weights' gradients tells of them. */
struct unlaid {
	int most;	/* forwards whose memory is held at most, were they there */
	bool settled;	/* in the last period as many are due in the end as in the beginning */
};
struct op *block_lay_bare(const struct block *, int micro, struct op *op, struct unlaid *);

/*
 * Blocks repeat every BLOCK_PERIOD slots from when all chunks of a stage are at work until no micro-batch follows. So
 * does an order from the first time on that a period leaves everything as it found it: an order of few micro-batches
 * then tells that of many. What follows is about the last period of such an order, up to which nothing is as it is only
 * because no micro-batch comes behind the last one.
 */
struct cut {
	int begun[2][2];	/* [backward][chunk]: micro-batches that have begun */
	size_t at;		/* in the stage's order, behind the last of them */
};
struct period {
	struct cut from, to;
};

/* That of a stage's order. */
struct period block_period(const struct block *, int micro, const struct op *order);
/* Do all four kinds of operations repeat by then, and are the same weights' gradients due at both cuts? */
bool period_settled(const struct period *, const struct op *order);
/* Repeat it TIMES more in an order of SIZE operations, behind which is room; returns behind the last. */
struct op *period_repeat(const struct period *, int times, struct op *order, size_t size);
/* Micro-batches after which orders settle, most often. */
int block_few(int stages);

#endif
