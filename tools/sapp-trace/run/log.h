/*
 * Log: times of steps as a training run prints them. Reads Megatron-LM's "elapsed time per iteration (ms)" and its
 * timers (last rank, minimum and maximum, or each rank), MindFormers' "per_step_time", NeMo's "train_step_timing in s",
 * and DeepSpeed's timers. DeepSpeed's timers are sums over the steps since their last output.
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

enum log_rank { LOG_LAST = -1, LOG_LEAST = -2, LOG_MOST = -3 };	/* meaning of a time that has no rank number */

struct log_sample {
	int timer;		/* index in log.timer */
	int rank;		/* number of the rank, or enum log_rank */
	int row;		/* index in log.row */
	double time;		/* ms */
};

struct log_row {		/* a line with the time of an iteration */
	long iteration;		/* -1: unknown */
	double elapsed;		/* ms */
	struct place place;
};

struct log {
	char *source;
	int stage, rank;	/* from the path of the log; -1: unknown */
	int stages, micro, each;	/* from DeepSpeed; each: ranks per stage; 0: unknown */
	struct listed listed;	/* the log's list of arguments as a command */
	struct started started;	/* the program that the command starts; set if listed.pipeline */
	struct launch launch;
	struct peaklog peaks;
	int timers;
	char **timer;
	size_t samples;
	struct log_sample *sample;
	int rows;
	struct log_row *row;
	int block;		/* meaning of the lines that follow a heading: see log.c */
	int current;		/* index of the timer whose list of ranks is being read; -1: none */
};

/* Return whether the input at SCAN begins like a log, not like a timeline. */
bool log_begins(struct scan *);
/*
 * Read the whole log. Operations that ranks print are added to the operations. Return false if no times, peaks or
 * operations exist.
 */
bool log_read(struct log *, struct scan *, struct operations *);
void log_free(struct log *);

/* Return the index of the timer NAME, or -1 if it does not exist. */
int log_timer(const struct log *, const char *name);
/* Return the median of a timer over the rows kept, ms; negative: the log has no such times. */
double log_time(const struct log *, int timer, int rank);
/*
 * Drop the rows that are unsteady or outside of the range ASKED. Warns if the other rows vary widely. Exits if no row
 * is left. Return the median time of an iteration, ms.
 */
double log_choose(struct log *, struct step_range asked);

#endif
