/* Profile: measurements of a whole pipeline by stage, and their records. */
#ifndef PROFILE_H
#define PROFILE_H

#include <stdio.h>

#include "lib/record/record.h"

struct profile {
	struct chunks of;		/* its record; empty or 0: unknown */
	char *source;			/* files read */
	struct list micro_sample;	/* samples of times, over all operations of a micro-batch */
	bool uneven;			/* boundaries have separate times in questions also */
};

/* Write the chunks record. */
void profile_write(FILE *, struct profile *);
/* Write the job record: properties of the run other than times. */
void profile_write_job(FILE *, const struct profile *);
/* Write a stage's time per micro-batch, over all chunks: SUM[n] ms, one per step. */
void profile_write_timing(FILE *, const struct profile *, int stage, enum timing_phase, const double sum[], int n,
    int events);
void profile_free(struct profile *);

#endif
