/* Outside: the step that each rank saw, and what of it lies outside of the pipeline, as step records. */
#ifndef OUTSIDE_H
#define OUTSIDE_H

#include <stdio.h>

#include "communication.h"
#include "job.h"
#include "sapp-trace/sequence/layout.h"
#include "sapp-trace/time/tally.h"

struct collective {		/* outside of the pipeline */
	char *name;
	double time;		/* ms */
	bool before;		/* the pipeline, not behind it */
};

struct rank_step {		/* the step in the middle, of one file; ms */
	struct job job;
	const char *source;
	int steps;		/* that were counted */
	double time, pipeline, before, after;
	double optimizer;	/* computing kernels behind the pipeline */
	int n;
	struct collective *at;
	int ntransfers;
	struct collective *transfer;
};

struct outside {
	int n;
	struct rank_step *at;
};

/* Add what the kernels of FILE say; SOURCE must outlive it. */
void outside_add(struct outside *, const struct sequence *, const struct layout *, const struct tally *,
    struct job, const char *file, const char *source);
/* Step records, one a rank; waiting of one rank for another counts as far as the files tell. */
void outside_write(FILE *, const struct outside *);
void outside_free(struct outside *);

#endif
