/*
 * Log: times of steps printed by a training run. Megatron-LM's "elapsed time per iteration (ms)" and timers (last rank,
 * minimum and maximum, or each rank); MindFormers' "per_step_time"; NeMo's "train_step_timing in s"; DeepSpeed's
 * timers, which sum over the steps since their last output.
 */
#ifndef LOG_H
#define LOG_H

#include <stdio.h>

#include "lib/measure/peaklog.h"
#include "lib/script/listed.h"
#include "lib/script/started.h"
#include "lib/setup/launch.h"
#include "sapp-trace/layers/step.h"
#include "sapp-trace/read/scan.h"
#include "operations.h"

enum log_rank { LOG_LAST = -1, LOG_LEAST = -2, LOG_MOST = -3 };	/* meaning of a time without a rank number */

struct log_sample {
	int timer;		/* in log.timer */
	int rank;		/* or enum log_rank */
	int row;		/* in log.row */
	double time;		/* ms */
};

struct log_row {		/* a line with the time of an iteration */
	long iteration;		/* -1: unknown */
	double elapsed;		/* ms */
	struct place place;
};

struct log {
	char *source;
	int stage, rank;	/* from its path; -1: unknown */
	int stages, micro, each;	/* from DeepSpeed, with ranks per stage; 0: unknown */
	struct listed listed;	/* the list of arguments as a command, */
	struct started started;	/* which is read into these if listed.pipeline */
	struct launch launch;
	struct peaklog peaks;
	int timers;
	char **timer;
	size_t samples;
	struct log_sample *sample;
	int rows;
	struct log_row *row;
	int block;		/* meaning of the lines after a heading; see log.c */
	int current;		/* timer of the current list of ranks; -1: none */
};

/* Return whether the input at SCAN begins like a log and not a timeline. */
bool log_begins(struct scan *);
/* Read the whole log, including operations of ranks. Return false if no times exist, peaks or operations. */
bool log_read(struct log *, struct scan *, struct operations *);
void log_free(struct log *);

/* Return the timer NAME, or -1. */
int log_timer(const struct log *, const char *name);
/* Return the median of a timer over the rows kept, ms; negative: absent. */
double log_time(const struct log *, int timer, int rank);
/*
 * Drop rows that are unsteady or outside the range ASKED; warns if the rest varies widely. Exits if none is left.
 * Return the median time of an iteration, ms.
 */
double log_choose(struct log *, struct step_range asked);

#endif
