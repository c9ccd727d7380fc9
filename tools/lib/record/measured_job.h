/* The job record: properties of a measured training run, as defaults for questions about it. */
#ifndef MEASURED_JOB_H
#define MEASURED_JOB_H

#include "lib/field/field.h"
#include "overhead.h"

struct measured_job {
	uint64_t given;
	int stages, micro_batches;
	int interleave;			/* number of model chunks per stage */
	struct list memory_limit;	/* MB, one for all stages or one per stage */
	struct list comm_time;		/* ms, one for all boundaries or one per boundary */
	int transfers;			/* enum transfer_mode */
	struct list micro_sample;	/* times of micro-batches / their mean, to draw from */
	int seq_length, batch_size;	/* tokens per sequence, sequences per micro-batch */
	int model_parallel;		/* number of devices that share a layer */
	char *target;			/* framework whose settings were read */
	char *source;
};

extern const struct fields measured_job_fields;
void measured_job_check(const struct measured_job *, struct place at);

#endif
