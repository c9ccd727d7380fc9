/*
 * Schemes. A scheme is the only description of a schedule. Its functions order the operations of a stage. Planner,
 * proofs and simulator use its other members, and never the name of a schedule.
 */
#ifndef SCHEME_H
#define SCHEME_H

#include "schedule.h"

enum placement {
	PLACE_ROUND,	/* piece v x stages + s is chunk v of stage s */
	PLACE_V,	/* two chunks per stage: the model goes forth over the stages, and back */
	PLACE_BOTH,	/* two copies of the model: one starts on the first stage, the other on the last */
};

struct scheme {
	/* Write the operations of a stage from OP on, and return the end. NULL: arrange() writes them. */
	struct op *(*order)(const struct shape *, int stage, struct op *op);
	void (*arrange)(struct schedule *);		/* called after order() for all stages; NULL: nothing to do */
	void (*place)(const struct shape *, int *piece);	/* as schedule_pieces(); NULL: according to placement */
	/* returns the reason why a shape is impossible, or NULL; NULL: only the number of chunks is restricted */
	const char *(*problem)(const struct shape *);
	/*
	 * returns the maximum number of pieces that a stage may hold in an order for given times. MOST: maximum over
	 * the stages in the schedule's own order. NULL: MOST.
	 */
	int (*room)(const struct shape *, int most);
	enum placement placement;
	/* with PLACE_BOTH: the schedule on half of the stages that is planned in its place */
	enum schedule_kind folded;
	bool interleaved;	/* a stage may have any number of chunks */
	bool split;		/* backwards are split in two parts */
	bool joined;		/* a forward and a backward may run together */
	bool timed;		/* orders are made for given times by lib/order/timed_schedule.h */
	bool within;		/* an order made for given times may use all memory within the limits */
	bool textbook;		/* with equal stages, each stage is idle for (P - 1) / (V M) of its work */
	bool in_turn;		/* the order is some forwards, then a backward and a forward in turn */
	bool early;		/* interleaved, with the number of initial forwards that Megatron-LM has */
	bool begins;		/* a search for free orders can start from the schedule's order */
	/* sapp-check derives the order; if false, sapp-check uses only properties of all orders */
	bool checked;
};

static inline struct op
op_of(enum phase phase, int chunk, int micro)
{
	return (struct op){ .micro = (uint32_t)micro, .chunk = (uint16_t)chunk, .phase = (uint8_t)phase };
}

/* Return what zero-bubble schedules do not support in a shape (sequence splits, groups), or NULL. */
const char *zero_bubble_problem(const struct shape *);

/*
 * Custom orders of two copies of the model, one from each end. Return the error in the order, or NULL. Arrange all
 * stages.
 */
const char *custom_both_problem(const struct shape *);
void custom_both_arrange(struct schedule *);

#define SCHEME_EXTERN(kind, name, order) extern const struct scheme order;
SCHEDULES(SCHEME_EXTERN)

#endif
