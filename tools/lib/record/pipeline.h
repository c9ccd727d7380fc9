/* The pipeline record: the question for the planner. */
#ifndef PIPELINE_H
#define PIPELINE_H

#include "lib/field/field.h"
#include "lib/schedule/schedule.h"
#include "overhead.h"

/*
 * Mixes a plan may use in a piece: any, those that the lists of a training YAML can express, or one kind for all
 * layers.
 */
enum mixes { MIXES_ALL, MIXES_YAML, MIXES_UNIFORM };
extern const char *const mixes_names[];

struct pipeline {
	uint64_t given;
	int stages;
	int micro_batches;
	int interleave;			/* model chunks per stage */
	int schedule;			/* enum schedule_kind */
	struct list memory_limit;	/* MB, one number for all stages or one per stage */
	int seq_split;			/* sequence splits per micro-batch; absent: 1 */
	int group;			/* micro-batches that a chunk runs in turn; absent: number of stages */
	/* ms, one for all boundaries or one per boundary; n = 0: 0 */
	struct list comm_time;
	double offload;			/* GB/s per device for offloading and fetching; absent: no offloading */
	struct list speed;		/* speed of the stages, relative to the measured device; n = 0: all 1 */
	int transfers;			/* enum transfer_mode; absent: hidden */
	/* time of each micro-batch / mean time */
	struct list micro_factor;
	double overlap;			/* time of an overlapped forward and backward / sum of their times; absent: 1 */
	double spread;			/* standard deviation of micro-batch times / mean; absent: 0 */
	int mixes;			/* enum mixes: the plans considered; absent: MIXES_YAML */
	bool empty;			/* pieces may have no layers */
	bool fixed_order;		/* the order of split backwards ignores times */
	char *order;			/* order of a custom schedule; schedule_custom.c */
};

/* Effects of devices and links on layer times. Does not own its lists. */
struct devices {
	struct list speed;		/* divides the times, one for all stages or one per stage; n = 0: 1 */
	/*
	 * ms, one for all boundaries, or one per boundary s to s + 1 and optionally a last one from the last stage to
	 * the first; n = 0: 0
	 */
	struct list delay;
	double overlap;			/* time of an overlapped forward and backward / sum of their times; 0: 1 */
	enum transfer_mode transfers;
};

extern const struct fields pipeline_fields;
struct devices pipeline_devices(const struct pipeline *);
/* Return what is wrong with a list of one number per boundary, such as devices.delay (caller frees), or NULL. */
char *boundaries_problem(struct list, int stages);
/* Return what is wrong with the lists for a pipeline of this shape (caller frees), or NULL. */
char *devices_problem(const struct devices *, const struct shape *);
bool devices_delayed(const struct devices *);		/* whether any delay is above 0 */
double devices_overlap(const struct devices *);		/* devices.overlap, or 1 if unset */
/* Return the factor of the layer times on a stage. */
double devices_pace(const struct devices *, int stage);
/* Return the ms of a transfer across the boundary after stage EDGE of STAGES; the last stage's leads to the first. */
double devices_delay(const struct devices *, int stages, int edge);
struct shape pipeline_shape(const struct pipeline *);
void pipeline_check(const struct pipeline *, struct place at);

#endif
