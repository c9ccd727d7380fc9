/* The steps of a timeline of operations, inside and outside the pipeline. */
#ifndef OPERATION_STEPS_H
#define OPERATION_STEPS_H

#include "operations.h"

struct operation_step {
	long number;
	size_t from, to;	/* range in operations.at */
	int64_t begin, end;	/* ns, of all events */
	int64_t *first, *last;	/* [pipelines], ns: start of the first forward, end of the last backward */
	double *time;		/* [pipelines][2][pieces][micro], ms: forward and backward */
	int64_t *done;		/* [pipelines][stages], ns: end of the stage's last operation */
	int slowest;		/* pipeline that ends last */
};

struct operation_steps {
	const struct operations *of;
	int pipelines, stages, chunks, micro;
	char **pipeline;	/* names: "0", or "0, TP rank 1" */
	int n;
	struct operation_step *at;
};

/* Sorts the operations. Exits if they do not form a pipeline; drops incomplete steps, with a message. */
struct operation_steps operation_steps_new(struct operations *, struct step_range);
void operation_steps_free(struct operation_steps *);

static inline double
ms(int64_t ns)
{
	return (double)ns * 1e-6;
}

/* Return the index of an operation in the times of a step. */
size_t operation_slot(const struct operation_steps *, int pipeline, int kind, int piece, int micro);
/* Return the place of an operation's time, ms. */
double *operation_time(const struct operation_steps *, const struct operation_step *, int pipeline,
    enum operation_kind, int piece, int micro);
/*
 * Return the ms to the next stage without waiting, over steps and pipelines; PIPELINE, STAGE -1: all; BOUNDARY: as in
 * comm_time, -1: all. Negative: none.
 */
double operation_transfer(const struct operation_steps *, const struct operation_step *, int n, int pipeline,
    int stage, int boundary);
/* Warn about ranks and micro-batches that are slower than others with equal work. */
void operation_stragglers(const struct operation_steps *);

#endif
