/* The steps of a timeline of operations: what each of them took, inside its pipelines and outside. */
#ifndef OPERATION_STEPS_H
#define OPERATION_STEPS_H

#include "operations.h"

struct operation_step {
	long number;
	size_t from, to;	/* its operations in operations.at */
	int64_t begin, end;	/* ns, of everything in it */
	int64_t *first, *last;	/* [pipelines], ns: from the first forward to the end of the last backward */
	double *time;		/* [pipelines][2][pieces][micro], ms: forward and backward */
	int64_t *done;		/* [pipelines][stages], ns: the end of the stage's last operation */
	int slowest;		/* the pipeline that ends last */
};

struct operation_steps {
	const struct operations *of;
	int pipelines, stages, chunks, micro;
	char **pipeline;	/* their names: "0", or "0, TP rank 1" */
	int n;
	struct operation_step *at;
};

/* Sorts the operations. Exits when they are no pipeline's; steps that are not complete are left out, which is said. */
struct operation_steps operation_steps_new(struct operations *, struct step_range);
void operation_steps_free(struct operation_steps *);

static inline double
ms(int64_t ns)
{
	return (double)ns * 1e-6;
}

/* The number of an operation among the times of a step. */
size_t operation_slot(const struct operation_steps *, int pipeline, int kind, int piece, int micro);
/* Time of an operation, ms. */
double *operation_time(const struct operation_steps *, const struct operation_step *, int pipeline,
    enum operation_kind, int piece, int micro);
/*
 * ms from one stage to the next, without waiting, over the steps and pipelines; PIPELINE, STAGE -1: all; BOUNDARY: as
 * comm_time counts them, -1: all. Negative: none.
 */
double operation_transfer(const struct operation_steps *, const struct operation_step *, int n, int pipeline,
    int stage, int boundary);
/* Names of ranks that take longer than others do for the same, and of micro-batches that do, as warnings. */
void operation_stragglers(const struct operation_steps *);

#endif
