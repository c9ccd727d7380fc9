/* Schemes: how each schedule orders the operations of a stage. Private to the schedule's own files. */
#ifndef SCHEME_H
#define SCHEME_H

#include "schedule.h"

enum placement {
	PLACE_ROUND,	/* piece v x stages + s is chunk v of stage s */
	PLACE_V,	/* two chunks: forth over the stages, and back again */
	PLACE_BOTH,	/* two whole models: one begins on the first stage, the other on the last */
};

struct scheme {
	/* Write a stage's operations in order from OP on; returns behind the last. NULL: arrange() does. */
	struct op *(*order)(const struct shape *, int stage, struct op *op);
	void (*arrange)(struct schedule *);		/* afterwards, over all stages; NULL: nothing to do */
	void (*place)(const struct shape *, int *piece);	/* as schedule_pieces(); NULL: by placement */
	const char *(*problem)(const struct shape *);	/* what it cannot do; NULL: whatever chunks says */
	enum placement placement;
	bool interleaved;	/* any number of chunks a stage */
	bool split;		/* backwards in two parts */
	bool timed;		/* a zero-bubble order, for which times matter */
	bool textbook;		/* equal stages idle for (P - 1) / (V M) of their work */
};

static inline struct op
op_of(enum phase phase, int chunk, int micro)
{
	return (struct op){ .micro = (uint32_t)micro, .chunk = (uint16_t)chunk, .phase = (uint8_t)phase };
}

/* What schedules of zero bubble cannot do: NULL, or the question's sequence splits and groups. */
const char *zero_bubble_problem(const struct shape *);

/* An order by hand for two models, one from each end: what is wrong with it, or NULL; then all stages. */
const char *custom_both_problem(const struct shape *);
void custom_both_arrange(struct schedule *);

#define SCHEME_EXTERN(kind, name, order) extern const struct scheme order;
SCHEDULES(SCHEME_EXTERN)

#endif
