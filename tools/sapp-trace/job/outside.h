/* Outside: the step that each rank saw, and what of it lies outside of the pipeline, as step records. */
#ifndef OUTSIDE_H
#define OUTSIDE_H

#include <stdio.h>

#include "account.h"
#include "communication.h"
#include "job.h"
#include "sapp-trace/sequence/layout.h"

struct collective {		/* outside of the pipeline */
	char *name;
	double time;		/* ms */
	bool before;		/* the pipeline, not behind it */
};

struct rank_step {		/* a step of one file; ms */
	struct job job;
	const char *source;
	int run;		/* which of the files */
	long number;		/* of the step, as it is known there */
	int steps;		/* that were counted */
	double time, pipeline, before, after;
	double optimizer;	/* computing kernels behind the pipeline */
	int n;
	struct collective *at;
	int ntransfers;
	struct collective *transfer;
	bool accounted, repeats;	/* of the steps of a file, the one in the middle is accounted for */
	struct account account;
};

struct outside {
	int runs;		/* files */
	int n;
	struct rank_step *at;	/* by file */
};

struct rank_run {		/* what the kernels of a file say */
	const struct sequence *sequence;
	const struct layout *layout;	/* where the pipelines of its steps begin and end */
	const bool *counted;		/* [steps]: which of them count; their layout is good */
	struct job job;
	const char *source;		/* the file, which outlives it */
	bool repeats;			/* layers are told by what repeats, in whole steps */
};

void outside_add(struct outside *, const struct rank_run *);
/* Does what is attributed add up to the step of each file? Warns, or exits, where it does not. */
void outside_check(const struct outside *);
/*
 * Step records, one a rank, of the step in the middle: by the slowest rank's, if all have counted the same. Waiting of
 * one rank for another does not count, as far as the files tell.
 */
void outside_write(FILE *, struct outside *);	/* before outside_transfer() */
/* ms of the step, of the rank that took longest; 0: none was measured. */
double outside_step(const struct outside *);
/* ms of a transfer without waiting, of all ranks' the one in the middle; negative: none was measured. */
double outside_transfer(const struct outside *);
void outside_free(struct outside *);
/* Of all steps, keep one of each run: the same of all, if they have any in common. */
void outside_choose(struct outside *);
void rank_step_free(struct rank_step *);

#endif
