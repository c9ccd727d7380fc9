/* The job record: what is known of the training run that was measured, for the questions to be asked about it. */
#ifndef MEASURED_JOB_H
#define MEASURED_JOB_H

#include "lib/field/field.h"
#include "overhead.h"

struct measured_job {
	uint64_t given;
	int stages, micro_batches;
	int interleave;			/* model chunks a stage */
	struct list memory_limit;	/* MB, one for all stages or one per stage */
	struct list comm_time;		/* ms from stage to stage, everywhere or of each boundary */
	int transfers;			/* enum transfer_mode */
	struct list micro_sample;	/* how many times as long as the mean micro-batches take by chance */
	int seq_length, batch_size;	/* tokens of a sequence, sequences of a micro-batch */
	int model_parallel;		/* devices that share each layer */
	char *source;
};

extern const struct fields measured_job_fields;
void measured_job_check(const struct measured_job *, struct place at);

#endif
