/*
 * Log: what a training run printed of its steps. Megatron-LM's "elapsed time per iteration (ms)" and timers, of the
 * last rank, the least and the most of all ranks, or each rank's; MindFormers' "per_step_time"; NeMo's
 * "train_step_timing in s"; DeepSpeed's timers, which are sums over the steps since it printed the last ones.
 */
#ifndef LOG_H
#define LOG_H

#include <stdio.h>

#include "lib/measure/arguments.h"
#include "lib/measure/peaklog.h"
#include "lib/script/listed.h"
#include "operations.h"
#include "sapp-trace/read/scan.h"
#include "sapp-trace/time/step.h"

enum log_rank { LOG_LAST = -1, LOG_LEAST = -2, LOG_MOST = -3 };	/* whose time it is, where not a rank's by number */

struct log_sample {
	int timer;		/* in log.timer */
	int rank;		/* or enum log_rank */
	int row;		/* in log.row */
	double time;		/* ms */
};

struct log_row {		/* a line with the time of an iteration */
	long iteration;		/* -1: not said */
	double elapsed;		/* ms */
	struct place place;
};

struct log {
	char *source;
	int stage, rank;	/* that its path says it is of; -1: it does not */
	int stages, micro, each;	/* that DeepSpeed says, ranks of a stage, too; 0: it does not */
	struct arguments arguments;
	struct listed listed;	/* the same as a command */
	struct peaklog peaks;
	int timers;
	char **timer;
	size_t samples;
	struct log_sample *sample;
	int rows;
	struct log_row *row;
	int block;		/* what the lines that follow a heading are; see log.c */
	int current;		/* timer that ranks are listed for; -1: none */
};

/* Does what SCAN stands at begin like a log rather than a timeline? */
bool log_begins(struct scan *);
/* Read all of it, OPERATIONS of ranks, too; false: there is neither a time, nor a peak, nor an operation in it. */
bool log_read(struct log *, struct scan *, struct operations *);
void log_free(struct log *);

/* The timer called NAME; -1: there is none. */
int log_timer(const struct log *, const char *name);
/* The median of a timer over the rows kept, ms; negative: not there. */
double log_time(const struct log *, int timer, int rank);
/*
 * Leave out rows that are not steady or not asked for; warns where those kept are far apart. Exits when none is left.
 * The median of what an iteration took, ms.
 */
double log_choose(struct log *, struct step_range asked);

#endif
