/* The sim and block records: what a simulation found. */
#ifndef RESULT_H
#define RESULT_H

#include "lib/field/field.h"

struct bubble {			/* fractions of the model's own work; sapp.7 */
	uint64_t given;
	double real, ideal, imba, recompute, comm;
};

struct critical {		/* where the longest chain of operations spends its time */
	uint64_t given;
	int stage;		/* the stage with the largest share */
	double share;		/* of the step, that stage's operations on the chain */
	char *why;
	struct table forward, backward, weight;	/* ms of the chain in each piece, [chunk][stage] */
	double delay;		/* ms of the chain between stages */
};

struct idle {			/* ms of each stage, by what it waits for */
	uint64_t given;
	struct list fill;	/* before its first operation */
	struct list forward, backward;	/* data to go on with */
	struct list comm;	/* data that are on their way */
	struct list drain;	/* after its last operation */
};

enum price_cause {
	PRICE_STAGE,		/* a stage takes longer than most do */
	PRICE_UNEVEN,		/* some operations of a stage take longer than its others */
	PRICE_LINK,		/* a link is slower than most are */
	PRICE_TRANSFERS,	/* data take time */
	PRICE_MICRO_BATCH,	/* one takes longer than the others */
	PRICE_MICRO_BATCHES,	/* they differ */
	PRICE_RECOMPUTE,	/* of a stage, or of all */
	PRICE_STAGES,		/* they differ */
	PRICE_CHUNKS,		/* those of a stage differ */
	PRICE_OUTSIDE,		/* what is outside the pipeline */
};

struct price {			/* what something costs: the step without it is simulated */
	uint64_t given;
	int cause;		/* enum price_cause */
	int stage;		/* of a link that to the next one; absent: of all */
	int micro;		/* absent: of all */
	double time;		/* ms by which the step would be shorter without it */
	char *text;		/* in words */
};

struct sim {
	uint64_t given;
	char *name;
	int schedule;
	int stages, interleave, micro_batches;
	double step_time;		/* ms, the whole step */
	double step_p10, step_p90;	/* ms, quantiles of steps drawn, where micro-batches vary */
	double pipeline_time;		/* ms of it between the first and the last operation; absent: all of it */
	double lower_bound;		/* ms, what no order of these operations is shorter than; absent: not known */
	double relative;		/* step time a micro-batch over that of the first one simulated */
	struct bubble bubble;
	struct list peak_memory;	/* MB, per stage */
	struct list memory_limit;	/* MB */
	struct list comm_time;		/* ms, of all transfers or of each boundary; absent: none take time */
	struct grid over;		/* the stages above their limit, flat */
	struct critical critical;
	struct idle idle;
	struct array prices;		/* of struct price, the highest first */
	struct list slope;		/* per stage: ms off the step for 1 ms off its work on a micro-batch */
	double tokens_per_second, tokens_per_second_per_device;
};

struct block {
	uint64_t given;
	char *plan;			/* name of the plan or chunks record */
	int stage, chunk, micro;
	int phase;			/* enum phase */
	double start, end;		/* ms */
	double memory;			/* MB on the stage after the block */
	double peak;			/* MB on the stage while it runs; absent: as before or after it */
	double recompute;		/* ms at its beginning in which activations are made again; absent: none */
};

/* The share of the step in which stages wait: what bubble.real and recompute, over useful work, are of the whole. */
double bubble_waiting(const struct bubble *);

extern const struct fields price_fields, bubble_fields, critical_fields, sim_fields, block_fields;

/* Idle times of so many stages, all 0; free with idle_free(), as records are. */
struct idle idle_new(int stages);
struct idle idle_copy(const struct idle *);
void idle_free(struct idle *);

#endif
