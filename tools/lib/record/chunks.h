/* The chunks record: a pipeline given directly by the times and memory of its pieces. */
#ifndef CHUNKS_H
#define CHUNKS_H

#include "lib/schedule/schedule.h"
#include "lib/field/field.h"
#include "overhead.h"

struct chunks {
	uint64_t given;
	char *name;
	int schedule;			/* enum schedule_kind */
	int micro_batches;
	struct table forward;		/* ms, [chunk][stage]; its shape is the pipeline's */
	struct table backward_ratio;	/* backward over forward without recomputation; absent: 2 */
	struct table backward;		/* ms, instead of backward_ratio */
	struct table recompute;		/* ms, added to backward */
	struct table activation;	/* MB a micro-batch */
	struct list parameter;		/* MB, per stage */
	double constant;		/* MB, every stage */
	struct table weight;		/* ms of backward that the weights' gradients take; absent: half of it */
	struct table weight_activation;	/* MB of activation kept for them; absent: all of it */
	struct table transient;		/* MB, there only while an operation of the piece runs; absent: 0 */
	double overlap;			/* time of a forward and a backward run together over their sum; absent: 1 */
	int seq_split;			/* sequence splits of a micro-batch; absent: 1 */
	int group;			/* micro-batches that take turns in a chunk; absent: as many as stages */
	char *order;			/* of a custom schedule; schedule_custom.c */
	struct list comm_time;		/* ms, everywhere or between neighbours */
	int transfers;			/* enum transfer_mode; absent: hidden */
	/* ms on a sender's own stream before it sends across a boundary, to the next stage and back */
	struct list send_delay_forward, send_delay_backward;
	double post_time;		/* ms that it takes a stage to begin a send or a receive; absent: 0 */
	struct list overhead;		/* ms of the step outside the pipeline, on each stage */
	struct list overhead_early;	/* ms of it that begin when the stage's own operations have ended */
	struct table forward_factor, backward_factor;	/* [piece][micro-batch], times forward and backward */
	/* [piece][one that was measured]: factors that micro-batches have by chance, a column for each */
	struct table forward_sample, backward_sample;
};

extern const struct fields chunks_fields;
struct shape chunks_shape(const struct chunks *);
void chunks_check(const struct chunks *, struct place at);

#endif
