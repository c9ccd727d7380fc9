/* Outside: the step of each rank, and its time outside the pipeline, as step records. */
#ifndef OUTSIDE_H
#define OUTSIDE_H

#include <stdio.h>

#include "sapp-trace/layers/layout.h"
#include "account.h"
#include "communication.h"
#include "job.h"

struct step_collective {		/* outside the pipeline */
	char *name;
	double time;		/* ms */
	bool before;		/* before the pipeline, else after it */
};

struct rank_step {		/* a step of one file; ms */
	struct trace_job job;
	const char *source;
	int run;		/* index of the file */
	long number;		/* of the step, as in the file */
	int steps;		/* number counted */
	double time, pipeline, before, after;
	double optimizer;	/* compute kernels after the pipeline */
	int n;
	struct step_collective *at;
	int ntransfers;
	struct step_collective *transfer;
	bool accounted, repeats;	/* the median step of a file has an account */
	struct account account;
};

struct step_outside {
	int runs;		/* files */
	int n;
	struct rank_step *at;	/* sorted by file */
};

struct rank_run {		/* kernels of a file */
	const struct sequence *sequence;
	const struct layout *layout;	/* with begin and end of each step's pipeline */
	const bool *counted;		/* [steps]: counted steps, with a good layout */
	struct trace_job job;
	const char *source;		/* file name, which outlives it */
	bool repeats;			/* layers were found by repetition, in whole steps */
};

void outside_add(struct step_outside *, const struct rank_run *);
/* Check that the parts add up to the step of each file; warns or exits otherwise. */
void outside_check(const struct step_outside *);
/*
 * Write step records, one per rank, of the median step: the slowest rank's, if all counted the same steps. Excludes
 * waiting of one rank for another, as far as the files show it.
 */
void outside_write(FILE *, struct step_outside *);	/* before outside_transfer() */
/* Return the ms of the slowest rank's step; 0 if none was measured. */
double outside_step(const struct step_outside *);
/* Return the ms of a transfer without waiting, median over ranks; negative: none measured. */
double outside_transfer(const struct step_outside *);
void outside_free(struct step_outside *);
/* Keep one step of each run: the same for all, if there is a common one. */
void outside_choose(struct step_outside *);
void rank_step_free(struct rank_step *);

#endif
