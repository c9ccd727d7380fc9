/* Profile: measurements of a whole pipeline, by stage, and their records. */
#ifndef PROFILE_H
#define PROFILE_H

#include <stdio.h>

#include "lib/record/record.h"

struct profile {
	struct chunks of;		/* the chunks record; members that are empty or 0 are unknown */
	char *source;			/* names of the files read */
	struct list micro_sample;	/* samples of the time of a micro-batch, over all its operations */
	bool uneven;			/* whether questions also must have a separate time for each boundary */
};

/* Write the chunks record. */
void profile_write(FILE *, struct profile *);
/* Write the job record, which has the properties of the run except times. */
void profile_write_job(FILE *, const struct profile *);
/* Write a timing record: a stage's time per micro-batch, over all chunks. SUM[n]: ms, one sum per step. */
void profile_write_timing(FILE *, const struct profile *, int stage, enum timing_phase, const double sum[], int n,
    int events);
void profile_free(struct profile *);

#endif
