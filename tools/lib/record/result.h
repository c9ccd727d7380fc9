/* The sim and block records: results of a simulation. */
#ifndef RESULT_H
#define RESULT_H

#include "lib/field/field.h"

struct bubble {			/* idle time by cause, as fractions of the work without recomputation; see sapp(7) */
	uint64_t given;
	double real, ideal, imba, recompute, comm;
};

struct critical {		/* times on the critical path */
	uint64_t given;
	int stage;		/* stage with the largest share */
	double share;		/* fraction of the step that this stage's operations on the path take */
	char *why;
	struct table forward, backward, weight;	/* ms on the path by piece, [chunk][stage] */
	double delay;		/* ms of transfers on the path */
};

struct idle {			/* idle ms of each stage, by cause */
	uint64_t given;
	struct list fill;	/* before the stage's first operation */
	struct list forward, backward;	/* waiting for data that is not computed yet */
	struct list comm;	/* waiting for data that is being transferred */
	struct list drain;	/* after the stage's last operation */
};

enum price_cause {
	PRICE_STAGE,		/* a stage is slower than most */
	PRICE_UNEVEN,		/* operations of a stage differ in time */
	PRICE_LINK,		/* a link is slower than most */
	PRICE_TRANSFERS,	/* transfers take time */
	PRICE_MICRO_BATCH,	/* one micro-batch is slower than all other ones */
	PRICE_MICRO_BATCHES,	/* micro-batches differ */
	PRICE_RECOMPUTE,	/* recomputation takes time, on a stage or on all */
	PRICE_STAGES,		/* stages differ */
	PRICE_CHUNKS,		/* chunks of a stage differ */
	PRICE_OUTSIDE,		/* time outside the pipeline */
};

struct price {			/* time that a cause costs, from a simulation without the cause */
	uint64_t given;
	int cause;		/* enum price_cause */
	int stage;		/* for a link, the sending stage; absent: all stages */
	int micro;		/* micro-batch; absent: all */
	double time;		/* ms by which the step shrinks without the cause */
	char *text;		/* the cause in words */
};

struct sim {
	uint64_t given;
	char *name;
	int schedule;
	int stages, interleave, micro_batches;
	double step_time;		/* ms, the whole step */
	/* ms, 10 % and 90 % quantiles of sampled steps, if times of micro-batches vary */
	double step_p10, step_p90;
	/* ms from the first operation to the end of the last; absent: equal to step_time */
	double pipeline_time;
	double lower_bound;	/* ms, lower bound of the step over all orders of these operations; absent: unknown */
	/* step_time per micro-batch / step_time per micro-batch of the first simulated plan */
	double relative;
	struct bubble bubble;
	struct list peak_memory;	/* MB, per stage */
	struct list memory_limit;	/* MB */
	struct list comm_time;		/* ms, one for all boundaries or one per boundary; absent: 0 */
	struct grid over;		/* numbers of the stages above their limit, flat */
	struct critical critical;
	struct idle idle;
	struct array prices;		/* of struct price, highest time first */
	double tokens_per_second, tokens_per_second_per_device;
};

struct block {
	uint64_t given;
	char *plan;			/* name of the plan or chunks record */
	int stage, chunk, micro;
	int phase;			/* enum phase */
	double start, end;		/* ms from the start of the step */
	double memory;			/* MB in use on the stage after the operation */
	/* MB, maximum on the stage during the operation; absent: not above the memory before or after it */
	double peak;
	double recompute;		/* ms of recomputation at the start of the operation; absent: none */
};

/*
 * Return the fraction of the step during which stages are idle. bubble.real and bubble.recompute are relative to the
 * useful work instead.
 */
double bubble_waiting(const struct bubble *);

extern const struct fields price_fields, bubble_fields, critical_fields, sim_fields, block_fields;

/* Return idle times of 0 for STAGES stages. Free them with idle_free(). */
struct idle idle_new(int stages);
struct idle idle_copy(const struct idle *);
void idle_free(struct idle *);

#endif
