/* Profile: what was measured of a pipeline as a whole, by stage, and the records that say it. */
#ifndef PROFILE_H
#define PROFILE_H

#include <stdio.h>

#include "lib/record/record.h"

struct profile {
	struct chunks of;		/* its record; what has no entries, or is 0, is not known */
	char *source;			/* files it was read from */
	struct list micro_sample;	/* the samples of times, of all operations of a micro-batch */
	bool uneven;			/* a boundary has a time of its own in whatever is asked, too */
};

/* The chunks record. */
void profile_write(FILE *, struct profile *);
/* The job record: what is known of the run besides times. */
void profile_write_job(FILE *, const struct profile *);
/* What a stage took in one micro-batch, of all its chunks: SUM[n] ms, one for each step. */
void profile_write_timing(FILE *, const struct profile *, int stage, enum timing_phase, const double sum[], int n,
    int events);
void profile_free(struct profile *);

#endif
