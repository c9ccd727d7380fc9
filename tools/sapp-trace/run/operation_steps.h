/* Operation steps: the steps of a timeline of operations, inside and outside of the pipeline. */
#ifndef OPERATION_STEPS_H
#define OPERATION_STEPS_H

#include "operations.h"

struct operation_step {
	long number;
	size_t from, to;	/* range of the step in operations.at */
	int64_t begin, end;	/* ns, first start and last end of all events */
	int64_t *first, *last;	/* [pipelines], ns: start of the first forward, end of the last backward */
	double *time;		/* [pipelines][2][pieces][micro], ms: times of forwards and backwards */
	int64_t *done;		/* [pipelines][stages], ns: end of the last operation of each stage */
	int slowest;		/* index of the pipeline that ends last */
};

struct operation_steps {
	const struct operations *of;
	int pipelines, stages, chunks, micro;
	char **pipeline;	/* names of the pipelines: "0", or "0, TP rank 1" */
	int n;
	struct operation_step *at;
};

/*
 * Find the steps, and sort the operations. Exits if the operations do not form a pipeline. Drops incomplete steps, with
 * a message.
 */
struct operation_steps operation_steps_new(struct operations *, struct step_range);
void operation_steps_free(struct operation_steps *);

static inline double
ms(int64_t ns)
{
	return (double)ns * 1e-6;
}

/* Return the index of an operation in the member time of a step. */
size_t operation_slot(const struct operation_steps *, int pipeline, int kind, int piece, int micro);
/* Return the address of an operation's time, ms. */
double *operation_time(const struct operation_steps *, const struct operation_step *, int pipeline,
    enum operation_kind, int piece, int micro);
/*
 * Return the ms of a transfer to the next stage without waiting, over N steps and over pipelines. PIPELINE and STAGE:
 * index, -1 for all. BOUNDARY: as in comm_time, -1 for all. Negative: none exists.
 */
double operation_transfer(const struct operation_steps *, const struct operation_step *, int n, int pipeline,
    int stage, int boundary);
/* Warn about ranks and micro-batches that are slower than others with equal work. */
void operation_stragglers(const struct operation_steps *);

#endif
