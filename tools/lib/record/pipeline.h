/* The pipeline record: the question that a plan answers. */
#ifndef PIPELINE_H
#define PIPELINE_H

#include "lib/field/field.h"
#include "lib/schedule/schedule.h"
#include "overhead.h"

/*
 * Mixes of recomputation that a plan may use in a piece. ALL: any mix. YAML: a mix that the lists of a training YAML
 * can express. UNIFORM: one kind for all layers.
 */
enum mixes { MIXES_ALL, MIXES_YAML, MIXES_UNIFORM };
extern const char *const mixes_names[];

struct pipeline {
	uint64_t given;
	int stages;
	int micro_batches;
	int interleave;			/* number of model chunks per stage */
	int schedule;			/* enum schedule_kind */
	struct list memory_limit;	/* MB, one number for all stages or one per stage */
	int seq_split;			/* number of parts that each sequence is split into; absent: 1 */
	int group;	/* number of micro-batches that a chunk runs before the next chunk; absent: number of stages */
	/* ms of a transfer, one for all boundaries or one per boundary; empty: 0 */
	struct list comm_time;
	double offload;			/* GB/s between device and host, for offloading; absent: no offloading */
	struct list speed;		/* speed of each stage relative to the measured device; empty: all 1 */
	int transfers;			/* enum transfer_mode; absent: hidden */
	/* time of each micro-batch / mean time */
	struct list micro_factor;
	double overlap;			/* time of an overlapped forward and backward / sum of their times; absent: 1 */
	double spread;			/* standard deviation of the times of micro-batches / mean; absent: 0 */
	int mixes;			/* enum mixes that plans may have; absent: MIXES_YAML */
	bool empty;			/* pieces may have no layers */
	bool fixed_order;	/* split backwards run in their published order, which does not depend on times */
	char *order;			/* text of a custom order of operations; schedule_custom.c */
};

/* Speeds and delays of devices and links. The lists belong to the record that they are taken from. */
struct devices {
	struct list speed;	/* layer times are divided by it, one for all stages or one per stage; empty: 1 */
	/*
	 * ms of a transfer, one for all boundaries or one per boundary from stage s to s + 1; an optional last number
	 * is for the boundary from the last stage to the first; empty: 0
	 */
	struct list delay;
	double overlap;			/* time of an overlapped forward and backward / sum of their times; 0: 1 */
	enum transfer_mode transfers;
};

extern const struct fields pipeline_fields;
struct devices pipeline_devices(const struct pipeline *);
/* Check a list with one number per boundary, such as devices.delay. Return the error (caller frees), or NULL. */
char *boundaries_problem(struct list, int stages);
/* Check the lists for a pipeline of this shape. Return the error (caller frees), or NULL. */
char *devices_problem(const struct devices *, const struct shape *);
bool devices_delayed(const struct devices *);		/* whether any delay is above 0 */
double devices_overlap(const struct devices *);		/* devices.overlap, or 1 if unset */
/* Return the factor that multiplies layer times on a stage. */
double devices_pace(const struct devices *, int stage);
/*
 * Return the ms of a transfer across the boundary after stage EDGE of STAGES. The boundary after the last stage leads
 * to the first.
 */
double devices_delay(const struct devices *, int stages, int edge);
struct shape pipeline_shape(const struct pipeline *);
void pipeline_check(const struct pipeline *, struct place at);

#endif
