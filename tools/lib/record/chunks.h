/* The chunks record: a pipeline given directly by the times and memory of its pieces. */
#ifndef CHUNKS_H
#define CHUNKS_H

#include "lib/field/field.h"
#include "lib/schedule/schedule.h"
#include "overhead.h"

struct chunks {
	uint64_t given;
	char *name;
	int schedule;			/* enum schedule_kind */
	int micro_batches;
	struct table forward;		/* ms, [chunk][stage]; the size of this table is the size of the pipeline */
	struct table backward_ratio;	/* time of backward / time of forward, without recomputation; absent: 2 */
	struct table backward;		/* ms, given instead of backward_ratio */
	struct table recompute;		/* ms of recomputation, added to the backward */
	struct table activation;	/* MB per micro-batch */
	struct list parameter;		/* MB of parameters, gradients and optimizer state, [stage] */
	double constant;		/* MB in use on every stage */
	/* ms, the part of the backward that computes weight gradients; absent: half of the backward */
	struct table weight;
	/* MB, the part of the activation kept until the weight gradients are computed; absent: all of the activation */
	struct table weight_activation;
	struct table transient;		/* MB in use only while an operation of the piece runs; absent: 0 */
	double overlap;			/* time of an overlapped forward and backward / sum of their times; absent: 1 */
	int seq_split;			/* number of parts that each sequence is split into; absent: 1 */
	int group;	/* number of micro-batches that a chunk runs before the next chunk; absent: number of stages */
	char *order;			/* text of a custom order of operations; schedule_custom.c */
	struct list comm_time;		/* ms, one for all boundaries or one per boundary */
	int transfers;			/* enum transfer_mode; absent: hidden */
	/* ms that a transfer waits on the sender's own stream before it crosses the boundary, forward and backward */
	struct list send_delay_forward, send_delay_backward;
	double post_time;		/* ms that a stage needs to start a send or a receive; 0 if absent */
	struct list overhead;		/* ms of the step outside the pipeline, [stage] */
	/* ms, the part of overhead that starts when the stage's own operations have ended */
	struct list overhead_early;
	/* factors of the forward and backward times, [piece][micro-batch] */
	struct table forward_factor, backward_factor;
	/* measured times of micro-batches / their mean, to draw from, [piece][sample] */
	struct table forward_sample, backward_sample;
};

extern const struct fields chunks_fields;
struct shape chunks_shape(const struct chunks *);
void chunks_check(const struct chunks *, struct place at);

#endif
