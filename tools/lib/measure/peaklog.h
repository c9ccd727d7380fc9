/*
 * Read peak memory from logs: MindSpore's "Actual peak memory usage" and "Used peak memory usage", Megatron's "[Rank N]
 * ... memory (MB)", and the lines of torchtitan, DeepSpeed and PyTorch. Accepts logs and output of grep.
 */
#ifndef PEAKLOG_H
#define PEAKLOG_H

#include <stdbool.h>
#include <stddef.h>

#include "lib/base/place.h"
#include "lib/record/measurement.h"

struct peaklog_entry {		/* the last block of a log, or of a rank in it */
	struct place place;	/* place of the line that was read */
	char *path;		/* path of the log; NULL: unset */
	long line;		/* line of the log, from grep -n; 0: unset */
	int round;		/* from "round_R" in the path; -1: unset */
	int stage, rank;	/* -1: unset; at least one is set */
	bool has[2];		/* by enum peak_which */
	double memory[2];	/* MB */
	double state;		/* MB in use between steps; 0: unset */
};

struct peaklog {
	int n;
	struct peaklog_entry *at;
	int files;
	char **file;		/* files read, for the places of entries */
	double astray;		/* MB of a peak of unknown stage; 0: none */
	struct place astray_at;
	int world, stages;	/* ranks and stages of the run, from "using world size: ..."; 0: unset */
	struct place world_at;
	bool scattered;		/* the ranks of a stage are not in sequence */
};

/*
 * Read the peak in a line of LENGTH bytes, which may be binary. LOG: path of its log; NULL: the path is in the line. A
 * later line of the same log replaces an earlier one. Return whether the line has a peak. Exits if a MindSpore peak has
 * no stage.
 */
bool peaklog_line(struct peaklog *, const char *text, size_t length, const char *log, struct place at);
/* Add a peak record of the stream. */
void peaklog_add(struct peaklog *, const struct peak *, struct place at);
/* Add a figure of the log PATH. Return false if the path names no stage or rank. */
bool peaklog_figure(struct peaklog *, const char *path, enum peak_which, double memory, struct place at);
/* Get stage, rank and round from a path; the component nearest to the file name wins. Absent numbers are -1. */
void peaklog_path(const char *path, int *stage, int *rank, int *round);
/* MindSpore's names of the peaks, by enum peak_which. */
extern const char *const peaklog_phrases[];
/* Exit if all peaks were of unknown stage. */
void peaklog_astray(const struct peaklog *);
/* Read all lines of a file, or of all *.log files below a directory. Exits if no line has a peak. */
void peaklog_read(struct peaklog *, const char *path);

/*
 * Return the number of ranks of a run on STAGES stages: the number in its log, or else SETTINGS if every rank with a
 * peak is below it; 0: unknown, or the ranks of a stage are not
 * in sequence. Exits if the log is of a run on another number of stages.
 */
int peaklog_ranks(const struct peaklog *, int stages, int settings);
/*
 * Get one peak per stage and round, sorted by round, then by stage, and return the number of peaks. RANK_SIZE: number
 * of ranks of the run; 0: guess it from the ranks that have a peak. WHICH -1: actual peaks if all stages have them,
 * else used peaks. ROUNDS: number of rounds; with 1 the rounds in paths are ignored. If paths name ranks and no stages,
 * the largest peak of a stage's ranks counts. Exits if other figures of a stage differ. The source of a peak is the
 * path of its log.
 */
int peaklog_peaks(const struct peaklog *, int stages, int rounds, int rank_size, int which, struct peak **);
/* Return the maximum MB by which an actual peak is above the used peak in the same log. */
double peaklog_margin(const struct peaklog *);
void peaklog_free(struct peaklog *);

#endif
