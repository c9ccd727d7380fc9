/*
 * A schedule as a job shop, in which orders are searched for. The micro-batches of a chunk keep their order. All
 * backwards are whole, or all are split. Only the search for orders includes this.
 */
#ifndef SHOP_H
#define SHOP_H

#include <stdlib.h>

#include "lib/schedule/schedule.h"
#include "lib/simulate/load.h"
#include "lib/simulate/room.h"

/*
 * Orders are searched for at fixed transfer times, called rungs. Rungs do not depend on the real transfer times, which
 * only select among the orders found. Each rung is a lane; the last lane has the real times.
 */
enum { RUNGS = 4, SHOP_LANES = RUNGS + 1 };
struct shop_times {
	double at[SHOP_LANES];
};

/*
 * The queue that another queue depends on; stage -1: none. A queue is the forwards, or the backwards, of a chunk on a
 * stage.
 */
struct feed {
	int stage, queue;
};

struct shop {
	int stages, chunks, micro;
	int queues;		/* number of queues per stage: 2 x chunks */
	/*
	 * backwards are whole; their times and memory are stored as if they belonged to the first part of a split
	 * backward
	 */
	bool whole;
	bool v;			/* backwards are split, and two chunks per stage go forth and back: see shop_blocks.h */
	struct feed *feed;	/* the queue that each queue depends on, [stage][queue] */
	double *time;		/* ms, [stage][chunk][PHASES] */
	/* ms of a transfer, [stage]: to the next stage, at the end from the last stage to the first */
	double *delay[SHOP_LANES];
	double *activation;	/* MB, [stage][chunk], held from the start of the F */
	double *kept;		/* MB, [stage][chunk], the part of activation that is held from the B to the W */
	bool grows;		/* some B recomputes, so that memory grows during the B */
	double *tail;		/* ms of overhead after the stage's last operation, [stage] */
	/* MB that activations may use, [stage]; memory in use only during an operation is subtracted already */
	double *limit;
	bool unlike;		/* see unlike in room.h */
	const struct load *load;	/* for the time of the step outside the pipeline */
	struct shop_times *end;		/* [stage][queue][micro], used by shop_steps() */
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
/* Return storage for an order of the shop's operations. Free it with schedule_free(). */
struct schedule shop_order(const struct shop *, const struct schedule *);
/* Return whether the micro-batches of each chunk are in order. shop_steps() needs this. */
bool shop_in_turn(const struct shop *, const struct schedule *);
/*
 * Return the ms of a transfer between neighbouring stages or between the last and the first. Return 0 within a stage.
 */
static inline double
shop_delay(const struct shop *j, int lane, int from, int to)
{
	return from == to ? 0 : j->delay[lane][abs(from - to) > 1 ? j->stages - 1 : from < to ? from : to];
}
/*
 * Get the steps of an order in all lanes, ms, including the stages' tails. If the order has a cycle, return false, with
 * infinite steps.
 */
bool shop_steps(struct shop *, const struct schedule *, double step[SHOP_LANES]);
/* Return whether an order stays within the memory limits. */
bool shop_fits(const struct shop *, const struct schedule *);

#endif
