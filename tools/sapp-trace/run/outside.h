/* Outside: the step of each rank, with its time outside of the pipeline, as step records. */
#ifndef OUTSIDE_H
#define OUTSIDE_H

#include <stdio.h>

#include "sapp-trace/layers/layout.h"
#include "account.h"
#include "communication.h"
#include "job.h"

struct step_collective {		/* a collective outside of the pipeline */
	char *name;
	double time;		/* ms */
	bool before;		/* true: before the pipeline; false: after it */
};

struct rank_step {		/* a step in one file, times in ms */
	struct trace_job job;
	const char *source;
	int run;		/* index of the file */
	long number;		/* number of the step, as in the file */
	int steps;		/* number of steps counted */
	double time, pipeline, before, after;
	double optimizer;	/* compute kernels after the pipeline */
	int n;
	struct step_collective *at;
	int ntransfers;
	struct step_collective *transfer;
	bool accounted, repeats;	/* accounted: whether the median step of the file has an account */
	struct account account;
};

struct step_outside {
	int runs;		/* number of files */
	int n;
	struct rank_step *at;	/* sorted by file */
};

struct rank_run {		/* kernels of a file, for adding its steps */
	const struct sequence *sequence;
	const struct layout *layout;	/* has begin and end of each step's pipeline */
	const bool *counted;		/* [steps], whether the step counts and has a good layout */
	struct trace_job job;
	const char *source;		/* file name, which outlives it */
	bool repeats;			/* whether the layers were found by repetition in whole steps */
};

void outside_add(struct step_outside *, const struct rank_run *);
/* Check that the parts add up to the step in each file. Warns or exits if they do not. */
void outside_check(const struct step_outside *);
/*
 * Write step records of the median step, one per rank. If all ranks counted the same steps, the median step is the
 * slowest rank's. Waiting of one rank for another is excluded, if the files show it.
 */
void outside_write(FILE *, struct step_outside *);	/* call before outside_transfer() */
/* Return the ms of the slowest rank's step; 0 if none was measured. */
double outside_step(const struct step_outside *);
/* Return the ms of a transfer without waiting, median over ranks; negative: none was measured. */
double outside_transfer(const struct step_outside *);
void outside_free(struct step_outside *);
/* Keep one step of each run, the same step for all runs if all have a common step. */
void outside_choose(struct step_outside *);
void rank_step_free(struct rank_step *);

#endif
