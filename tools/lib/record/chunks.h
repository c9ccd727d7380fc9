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
	struct table forward;		/* ms, [chunk][stage]; also the shape of the pipeline */
	struct table backward_ratio;	/* backward / forward without recomputation; absent: 2 */
	struct table backward;		/* ms, instead of backward_ratio */
	struct table recompute;		/* ms, added to backward */
	struct table activation;	/* MB per micro-batch */
	struct list parameter;		/* MB, per stage */
	double constant;		/* MB, every stage */
	struct table weight;		/* ms of the backward for weight gradients; absent: half of the backward */
	/* MB of the activation kept for weight gradients; absent: all of the activation */
	struct table weight_activation;
	struct table transient;		/* MB in use only while an operation of the piece runs; absent: 0 */
	double overlap;			/* time of an overlapped forward and backward / sum of their times; absent: 1 */
	int seq_split;			/* sequence splits per micro-batch; absent: 1 */
	int group;			/* micro-batches that a chunk runs in turn; absent: number of stages */
	char *order;			/* order of a custom schedule; schedule_custom.c */
	struct list comm_time;		/* ms, one for all boundaries or one per boundary */
	int transfers;			/* enum transfer_mode; absent: hidden */
	/* ms that a transfer waits on the sender's own stream before crossing a boundary, forward and back */
	struct list send_delay_forward, send_delay_backward;
	double post_time;		/* ms that a stage needs to start a send or a receive; 0 if absent */
	struct list overhead;		/* ms of the step outside the pipeline, per stage */
	struct list overhead_early;	/* ms of overhead that start when the stage's own operations have ended */
	/* [piece][micro-batch], factors of the forward and backward times */
	struct table forward_factor, backward_factor;
	/* [piece][sample]: measured random factors of micro-batches */
	struct table forward_sample, backward_sample;
};

extern const struct fields chunks_fields;
struct shape chunks_shape(const struct chunks *);
void chunks_check(const struct chunks *, struct place at);

#endif
