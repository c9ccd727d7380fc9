/*
 * Peak memory out of logs: MindSpore's "Actual peak memory usage" and "Used peak memory usage", Megatron's
 * "[Rank N] ... memory (MB)", torchtitan's, DeepSpeed's and PyTorch's own. Lines may come from the logs themselves or
 * through grep.
 */
#ifndef PEAKLOG_H
#define PEAKLOG_H

#include <stdbool.h>
#include <stddef.h>

#include "lib/base/place.h"
#include "lib/record/measurement.h"

struct peaklog_entry {		/* the last block of one log, or of one rank of it */
	struct place place;	/* of the line it was taken from */
	char *path;		/* of the log; NULL: not said */
	long line;		/* in that log, where grep -n said it; 0: not said */
	int round;		/* from a "round_R" in the path; -1: not said */
	int stage, rank;	/* -1: not said; one of them is */
	bool has[2];		/* by enum peak_which */
	double memory[2];	/* MB */
	double state;		/* MB in use between steps; 0: not said */
};

struct peaklog {
	int n;
	struct peaklog_entry *at;
	int files;
	char **file;		/* that were read, for the places of entries */
	double astray;		/* MB of a peak of which nothing says the stage; 0: there is none */
	struct place astray_at;
};

/*
 * Take what is in one line of LENGTH bytes, which need not be text. LOG is the path of the log it comes from;
 * NULL: the line itself must say. A later line of the same log replaces an earlier one.
 * Returns whether there was a peak in it. MindSpore's exits if it does not say of which stage.
 */
bool peaklog_line(struct peaklog *, const char *text, size_t length, const char *log, struct place at);
/* A peak record of the stream. */
void peaklog_add(struct peaklog *, const struct peak *, struct place at);
/* A figure of the log PATH; false: that does not say of which stage or rank. */
bool peaklog_figure(struct peaklog *, const char *path, enum peak_which, double memory, struct place at);
/* Stage, rank and round that a path says, the component nearest to the file's name first; -1: not said. */
void peaklog_path(const char *path, int *stage, int *rank, int *round);
/* What MindSpore calls them, by enum peak_which. */
extern const char *const peaklog_phrases[];
/* Exits if only peaks were seen of which nothing says the stage. */
void peaklog_astray(const struct peaklog *);
/* All lines of a file; all files called *.log below a directory. Exits when there is no peak in it. */
void peaklog_read(struct peaklog *, const char *path);

/*
 * One peak of each stage and round, in that order; their number. RANK_SIZE 0: STAGES x the smallest
 * difference between ranks. WHICH -1: actual where all have it, else used. ROUNDS: how many there may be.
 * Exits when a stage has two figures that differ. The source of a peak is the path of its log.
 */
int peaklog_peaks(const struct peaklog *, int stages, int rounds, int rank_size, int which, struct peak **);
/* MB by which an actual peak is above the used one of the same log, at most. */
double peaklog_margin(const struct peaklog *);
void peaklog_free(struct peaklog *);

#endif
