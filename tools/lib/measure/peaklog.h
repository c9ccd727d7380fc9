/*
 * Read peak memory from logs: MindSpore's "Actual peak memory usage" and "Used peak memory usage", Megatron-LM's "[Rank
 * N] ... memory (MB)", and the lines of torchtitan, DeepSpeed and PyTorch. Input may also be the output of grep on such
 * logs.
 */
#ifndef PEAKLOG_H
#define PEAKLOG_H

#include <stdbool.h>
#include <stddef.h>

#include "lib/base/place.h"
#include "lib/record/measurement.h"

struct peaklog_entry {		/* the last figures in a log, or of one rank in a log */
	struct place place;	/* place of the line in the input */
	char *path;		/* path of the log; NULL: unknown */
	long line;		/* number of the line in the log, from grep -n; 0: unknown */
	int round;		/* R of "round_R" in the path; -1: absent */
	int stage, rank;	/* at least one is known; -1: unknown */
	bool has[2];		/* the log has this peak, by enum peak_which */
	double memory[2];	/* MB */
	double state;		/* MB in use between steps; 0: unknown */
};

struct peaklog {
	int n;
	struct peaklog_entry *at;
	int files;
	char **file;		/* [files], paths of the files read; places of entries refer to them */
	double astray;		/* MB of a peak whose stage is unknown; 0: none */
	struct place astray_at;
	int world, stages;	/* numbers of ranks and stages of the run, from "using world size: ..."; 0: unknown */
	struct place world_at;
	int vocabulary;		/* size of the vocabulary, from "padded vocab (size: N)"; 0: unset */
	bool scattered;		/* the ranks of a stage are not consecutive */
};

/*
 * Read the peak, if any, in a line of LENGTH bytes, which may be binary. LOG: path of the log; NULL: the line has the
 * path. A later line of the same log replaces an earlier one. Return whether the line has a peak. Exit if a MindSpore
 * peak has no stage.
 */
bool peaklog_line(struct peaklog *, const char *text, size_t length, const char *log, struct place at);
/* Add a peak record from the stream. */
void peaklog_add(struct peaklog *, const struct peak *, struct place at);
/* Add a figure of the log at PATH. Return false if the path names neither a stage nor a rank. */
bool peaklog_figure(struct peaklog *, const char *path, enum peak_which, double memory, struct place at);
/*
 * Get stage, rank and round from a path; -1: absent. If several components have one, the one nearest to the file's name
 * counts.
 */
void peaklog_path(const char *path, int *stage, int *rank, int *round);
/* MindSpore's names of the peaks, by enum peak_which. */
extern const char *const peaklog_phrases[];
/* Exit if the stage of every peak is unknown. */
void peaklog_astray(const struct peaklog *);
/* Read all lines of a file, or of all *.log files below a directory. Exit if no line has a peak. */
void peaklog_read(struct peaklog *, const char *path);

/*
 * Return the number of ranks of a run on STAGES stages. It is the number in the log, or SETTINGS if every rank with a
 * peak is below SETTINGS. Return 0 if it is unknown, or if the ranks of a stage are not consecutive. Exit if the log is
 * of a run on another number of stages.
 */
int peaklog_ranks(const struct peaklog *, int stages, int settings);
/*
 * Get one peak per stage and round, sorted by round, then by stage. Return the number of peaks. The source of a peak is
 * the path of its log.
 *
 * RANK_SIZE: number of ranks of the run; 0: derive it from the ranks that have a peak. WHICH: enum peak_which; -1:
 * actual peaks if all stages have them, otherwise used peaks. ROUNDS: number of rounds; 1: ignore the rounds in paths.
 *
 * If paths name ranks and no stages, the largest peak among a stage's ranks counts. Otherwise exit if a stage has
 * different figures.
 */
int peaklog_peaks(const struct peaklog *, int stages, int rounds, int rank_size, int which, struct peak **);
/* Return the maximum MB by which an actual peak exceeds the used peak in the same log. */
double peaklog_margin(const struct peaklog *);
void peaklog_free(struct peaklog *);

#endif
