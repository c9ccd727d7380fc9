/*
 * Schemes: the single description of each schedule. The schedule's own files order the operations of a stage;
 * planner, proofs and simulator use the other members and never the name of a schedule.
 */
#ifndef SCHEME_H
#define SCHEME_H

#include "schedule.h"

enum placement {
	PLACE_ROUND,	/* piece v x stages + s is chunk v of stage s */
	PLACE_V,	/* two chunks: forth over the stages, and back */
	PLACE_BOTH,	/* two whole models: one starts on the first stage, the other on the last */
};

struct scheme {
	/* Write a stage's operations from OP on and return the end. With a null pointer arrange() writes them. */
	struct op *(*order)(const struct shape *, int stage, struct op *op);
	void (*arrange)(struct schedule *);		/* called afterwards for all stages; NULL: nothing to do */
	void (*place)(const struct shape *, int *piece);	/* like schedule_pieces(); NULL: by placement */
	/* returns what is unsupported; a null pointer if only the number of chunks matters */
	const char *(*problem)(const struct shape *);
	/*
	 * Return the pieces that a stage may hold in an order for given times; MOST: maximum over stages. A null
	 * pointer stands for MOST.
	 */
	int (*room)(const struct shape *, int most);
	enum placement placement;
	enum schedule_kind folded;	/* with PLACE_BOTH: the schedule of half the stages, planned in its place */
	bool interleaved;	/* any number of chunks per stage */
	bool split;		/* backwards have two parts */
	bool joined;		/* a forward and a backward may run together */
	bool timed;		/* lib/simulate/timed_schedule.h makes its order for given times */
	bool within;		/* the order for given times may take all the memory that limits leave */
	bool textbook;		/* equal stages idle for (P - 1) / (V M) of their work */
	bool in_turn;		/* first some forwards, then a backward and a forward in turn */
	bool early;		/* interleaved, with as many forwards first as Megatron-LM has */
	bool begins;		/* a free order may begin with this one */
	/* sapp-check derives the order; for other schedules it uses only properties of all orders */
	bool checked;
};

static inline struct op
op_of(enum phase phase, int chunk, int micro)
{
	return (struct op){ .micro = (uint32_t)micro, .chunk = (uint16_t)chunk, .phase = (uint8_t)phase };
}

/* Return what zero-bubble schedules do not support in a question (sequence splits, groups), or NULL. */
const char *zero_bubble_problem(const struct shape *);

/* Custom orders of two models, one from each end: return what is wrong or NULL; arrange all stages. */
const char *custom_both_problem(const struct shape *);
void custom_both_arrange(struct schedule *);

#define SCHEME_EXTERN(kind, name, order) extern const struct scheme order;
SCHEDULES(SCHEME_EXTERN)

#endif
