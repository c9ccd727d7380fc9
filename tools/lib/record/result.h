/* The sim and block records: results of a simulation. */
#ifndef RESULT_H
#define RESULT_H

#include "lib/field/field.h"

struct bubble {			/* fractions of the work without recomputation; see sapp(7) */
	uint64_t given;
	double real, ideal, imba, recompute, comm;
};

struct critical {		/* time on the critical path */
	uint64_t given;
	int stage;		/* stage with the largest share */
	double share;		/* fraction of the step: that stage's operations on the path */
	char *why;
	struct table forward, backward, weight;	/* ms on the path by piece, [chunk][stage] */
	double delay;		/* ms on the path between stages */
};

struct idle {			/* idle ms of each stage by cause */
	uint64_t given;
	struct list fill;	/* before its first operation */
	struct list forward, backward;	/* waiting for data not yet computed */
	struct list comm;	/* waiting for data in transfer */
	struct list drain;	/* after its last operation */
};

enum price_cause {
	PRICE_STAGE,		/* a stage slower than most */
	PRICE_UNEVEN,		/* a stage's operations differ in time */
	PRICE_LINK,		/* a link slower than most */
	PRICE_TRANSFERS,	/* transfer time */
	PRICE_MICRO_BATCH,	/* one micro-batch slower than the rest */
	PRICE_MICRO_BATCHES,	/* micro-batches differ */
	PRICE_RECOMPUTE,	/* price of recomputation on a stage, or on all stages */
	PRICE_STAGES,		/* stages differ */
	PRICE_CHUNKS,		/* chunks of a stage differ */
	PRICE_OUTSIDE,		/* time outside the pipeline */
};

struct price {			/* cost of a cause: the step is simulated without it */
	uint64_t given;
	int cause;		/* enum price_cause */
	int stage;		/* link: its sending stage; absent: all */
	int micro;		/* absent: all */
	double time;		/* ms by which the step would shrink */
	char *text;		/* in words */
};

struct sim {
	uint64_t given;
	char *name;
	int schedule;
	int stages, interleave, micro_batches;
	double step_time;		/* ms, the whole step */
	double step_p10, step_p90;	/* ms, quantiles of sampled steps, if micro-batches vary */
	/* ms from the first operation to the end of the last; absent: all of step_time */
	double pipeline_time;
	double lower_bound;		/* ms, lower bound over all orders of these operations; absent: unknown */
	/* step_time per micro-batch / step_time per micro-batch of the first simulated plan */
	double relative;
	struct bubble bubble;
	struct list peak_memory;	/* MB, per stage */
	struct list memory_limit;	/* MB */
	struct list comm_time;		/* ms, of all boundaries or per boundary; absent: 0 */
	struct grid over;		/* stages above their limit, flat */
	struct critical critical;
	struct idle idle;
	struct array prices;		/* of struct price, highest first */
	double tokens_per_second, tokens_per_second_per_device;
};

struct block {
	uint64_t given;
	char *plan;			/* name of the plan or chunks record */
	int stage, chunk, micro;
	int phase;			/* enum phase */
	double start, end;		/* ms */
	double memory;			/* MB on the stage after the block */
	double peak;			/* MB on the stage during the block; absent: as before or after it */
	double recompute;		/* ms of recomputation at its start; absent: none */
};

/* Return the fraction of the step that stages wait; bubble.real and recompute are relative to useful work instead. */
double bubble_waiting(const struct bubble *);

extern const struct fields price_fields, bubble_fields, critical_fields, sim_fields, block_fields;

/* Return idle times of STAGES stages, all 0; free with idle_free(). */
struct idle idle_new(int stages);
struct idle idle_copy(const struct idle *);
void idle_free(struct idle *);

#endif
