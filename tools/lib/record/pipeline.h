/* The pipeline record: the question put to the planner. */
#ifndef PIPELINE_H
#define PIPELINE_H

#include "lib/schedule/schedule.h"
#include "lib/field/field.h"
#include "overhead.h"

/* What one may choose from in a piece: any mix, those that the lists of the training YAML can say, all layers alike. */
enum mixes { MIXES_ALL, MIXES_YAML, MIXES_UNIFORM };
extern const char *const mixes_names[];

struct pipeline {
	uint64_t given;
	int stages;
	int micro_batches;
	int interleave;			/* model chunks a stage */
	int schedule;			/* enum schedule_kind */
	struct list memory_limit;	/* MB, one for all stages or one per stage */
	int seq_split;			/* sequence splits of a micro-batch; absent: 1 */
	int group;			/* micro-batches that take turns in a chunk; absent: as many as stages */
	/* ms from stage to stage, everywhere or of each boundary; n = 0: 0 */
	struct list comm_time;
	double offload;			/* GB/s that a device offloads or gets back; absent: it cannot */
	struct list speed;		/* of the stages, over that of the layers' times; n = 0: 1 */
	int transfers;			/* enum transfer_mode; absent: hidden */
	/* by which each micro-batch's operations take longer than those of a mean one */
	struct list micro_factor;
	double overlap;			/* time of a forward and a backward run together over their sum; absent: 1 */
	double spread;			/* standard deviation of micro-batches' times over their mean; absent: 0 */
	int mixes;			/* enum mixes: the plans that count; absent: MIXES_YAML */
	bool empty;			/* pieces may be without layers */
	bool fixed_order;		/* orders with split backwards do not look at times */
	char *order;			/* of a custom schedule; schedule_custom.c */
};

/* What devices and links make of the layers' times; the lists are another's. */
struct devices {
	struct list speed;		/* by which times are divided, of all stages or of each; n = 0: 1 */
	/*
	 * ms from one stage to another, everywhere or between stage s and s + 1, and last, if there is one more, from
	 * the last stage to the first; n = 0: 0
	 */
	struct list delay;
	double overlap;			/* time of a forward and a backward that run together, over their sum; 0: 1 */
	enum transfer_mode transfers;
};

extern const struct fields pipeline_fields;
struct devices pipeline_devices(const struct pipeline *);
/* What is wrong with a list of numbers of each boundary, as devices.delay, to be freed; NULL: nothing. */
char *boundaries_problem(struct list, int stages);
/* What is wrong with them for the stages of a pipeline, to be freed; NULL: nothing. */
char *devices_problem(const struct devices *, const struct shape *);
bool devices_delayed(const struct devices *);		/* any delay at all */
double devices_overlap(const struct devices *);		/* the same, 1 if it is not said */
/* By which the times of a stage's layers are multiplied. */
double devices_pace(const struct devices *, int stage);
/* ms that data take across the boundary behind stage EDGE of STAGES, the last one's being that to the first. */
double devices_delay(const struct devices *, int stages, int edge);
struct shape pipeline_shape(const struct pipeline *);
void pipeline_check(const struct pipeline *, struct place at);

#endif
