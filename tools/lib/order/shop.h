/*
 * Shop: a schedule as a job shop, to search for orders. Micro-batches of a chunk keep their order. All backwards are
 * whole, or all split. Private to the search for orders.
 */
#ifndef SHOP_H
#define SHOP_H

#include <stdlib.h>

#include "lib/schedule/schedule.h"
#include "lib/simulate/load.h"
#include "lib/simulate/room.h"

/*
 * Orders are searched for at fixed transfer times, the rungs, independent of the real times, which only select among
 * the orders found. The last lane has the real times.
 */
enum { RUNGS = 4, SHOP_LANES = RUNGS + 1 };
struct shop_times {
	double at[SHOP_LANES];
};

/*
 * The queue that another queue depends on; stage -1: none. A queue has the forwards or backwards of a chunk on a stage.
 */
struct feed {
	int stage, queue;
};

struct shop {
	int stages, chunks, micro;
	int queues;		/* per stage: 2 chunks */
	bool whole;		/* whole backwards, timed and stored like the first part of split ones */
	bool v;			/* split, two chunks forth and back: shop_blocks.h */
	struct feed *feed;	/* [stage][queue] */
	double *time;		/* ms, [stage][chunk][PHASES] */
	double *delay[SHOP_LANES];	/* ms, [stage]: to the next stage, and from the last to the first */
	double *activation;	/* MB, [stage][chunk]: from the start of F on */
	double *kept;		/* MB that a B leaves to its W */
	bool grows;		/* B recomputes in some piece, so that memory grows */
	double *tail;		/* ms after the last operation, [stage] */
	double *limit;		/* MB, [stage], without memory in use only while an operation runs */
	bool unlike;		/* see room.h */
	const struct load *load;	/* for the time outside the pipeline */
	struct shop_times *end;		/* buffer of shop_steps(), [stage][queue][micro] */
};

static inline int
queue_number(struct op op)
{
	return 2 * op.chunk + (op.phase != PHASE_F);
}

static inline enum phase
queue_phase(const struct shop *j, int queue)
{
	return queue % 2 == 0 ? PHASE_F : j->whole ? PHASE_B : PHASE_I;
}

static inline struct feed
queue_feed(const struct shop *j, int stage, int queue)
{
	return j->feed[stage * j->queues + queue];
}

struct shop shop_new(const struct schedule *, const struct load *, const struct room *);
void shop_free(struct shop *);
/* Return storage for an order of the shop's operations; free with schedule_free(). */
struct schedule shop_order(const struct shop *, const struct schedule *);
/* Return whether the micro-batches of each chunk are in order, as shop_steps() requires. */
bool shop_in_turn(const struct shop *, const struct schedule *);
/* Return the ms between neighbouring stages, within a stage, or between the last and the first. */
static inline double
shop_delay(const struct shop *j, int lane, int from, int to)
{
	return from == to ? 0 : j->delay[lane][abs(from - to) > 1 ? j->stages - 1 : from < to ? from : to];
}
/*
 * Get the steps of an order in all lanes, including the stages' tails. Return false, with infinite steps, if it cannot
 * run.
 */
bool shop_steps(struct shop *, const struct schedule *, double step[SHOP_LANES]);
/* Return whether an order stays within the limits. */
bool shop_fits(const struct shop *, const struct schedule *);

#endif
