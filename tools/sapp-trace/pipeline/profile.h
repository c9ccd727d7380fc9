/* Profile: what was measured of a pipeline as a whole, by stage, and the records that say it. */
#ifndef PROFILE_H
#define PROFILE_H

#include <stdio.h>

#include "lib/record/record.h"

struct profile {
	char *name;			/* of the chunks record */
	char *source;			/* files it was read from */
	int stages, chunks, micro;
	int schedule;			/* enum schedule_kind */
	int steps;			/* that were counted */
	struct table forward, backward;	/* ms of a mean micro-batch, [chunk][stage] */
	struct table forward_factor, backward_factor;	/* [piece][micro-batch]; without entries: not known */
	struct table forward_sample, backward_sample;	/* [piece][measured micro-batch]; without entries: none vary */
	struct list micro_sample;	/* the same of all operations of a micro-batch */
	struct list comm_time;		/* ms from a stage to the next, of all or by boundary; n = 0: not measured */
	int transfers;			/* enum transfer_mode; where comm_time is known */
	struct list send[2];		/* ms before a send of forward and of backward data, by boundary; n = 0: none */
	double post;			/* ms that it takes a stage to begin a transfer; 0: not measured */
	bool uneven;			/* a boundary has a time of its own in whatever is asked, too */
	struct list overhead, early;	/* ms, [stage]; n = 0: not known */
};

/* The chunks record. */
void profile_write(FILE *, const struct profile *);
/* The job record: what is known of the run besides times. */
void profile_write_job(FILE *, const struct profile *);
/* What a stage took in one micro-batch, of all its chunks: SUM[n] ms, one for each step. */
void profile_write_timing(FILE *, const struct profile *, int stage, enum timing_phase, const double sum[], int n,
    int events);
void profile_free(struct profile *);

#endif
