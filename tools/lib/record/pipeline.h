/* The pipeline record: the question put to the planner. */
#ifndef PIPELINE_H
#define PIPELINE_H

#include "lib/schedule/schedule.h"
#include "field.h"
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
	double comm_time;		/* ms from stage to stage; absent: 0 */
	int transfers;			/* enum transfer_mode; absent: hidden */
	/* by which each micro-batch's operations take longer than those of a mean one */
	struct list micro_factor;
	double overlap;			/* time of a forward and a backward run together over their sum; absent: 1 */
	int mixes;			/* enum mixes: the plans that count; absent: MIXES_YAML */
	char *order;			/* of a custom schedule; schedule_custom.c */
};

extern const struct fields pipeline_fields;
struct shape pipeline_shape(const struct pipeline *);
void pipeline_check(const struct pipeline *, struct place at);

#endif
