/* Options of the command line. */
#ifndef OPTIONS_H
#define OPTIONS_H

#include "lib/base/output.h"
#include "lib/base/table.h"
#include "lib/record/overhead.h"
#include "lib/target/target.h"
#include "sapp-lp/planner/planner.h"


struct options {
	char **operands;
	int stages, micro;	/* 0: unset; see options_default() */
	int splits, group, keep;
	struct grid interleave;	/* empty: unset */
	struct list memory;	/* MB, one limit for all stages or one per stage; n = 0: unset */
	enum { LESS_NO, LESS_YES, LESS_BOTH } less;	/* variants of schedule vpp without -S */
	const char *schedules;	/* names separated by commas; NULL: determined by interleave and less */
	const char *order_file;
	char *order;		/* order of operations of schedule custom; NULL: none */
	const char *model, *solver;
	const char *known_file;	/* answers to the same questions with other limits */
	const char *lp_file, *mps_file, *proof_file;
	struct output lp, mps, proof;	/* files of the model and the certificate; .file NULL: not requested */
	const struct records *input;	/* source of the question, copied into the certificate */
	enum target target;	/* framework of the run */
	int mixes;		/* enum mixes; -1: unset */
	bool empty;		/* whether pieces may be empty */
	bool dry;		/* -n */
	bool uniform;		/* whether all pieces are recomputed alike */
	bool listed;		/* see contents_new() */
	double offload;		/* GB/s; 0: no offloading */
	double cutoff;		/* ms: questions whose bound reaches it are given up; 0: none */
	double spread;		/* standard deviation of micro-batches' times / their mean; 0: times do not vary */
	struct devices devices;	/* lists without numbers: unset */
	int transfers;		/* enum transfer_mode; -1: the mode of the framework */
	int measured;		/* enum transfer_mode of the measured run */
	struct effort effort;
};

/* Read the command line and the input. Exits on unknown options, unreadable files or missing solvers. */
struct options options_read(int argc, char *argv[]);
/* Remove kinds of recomputation that are not to be planned with. RECORDS: kind records of the input. */
void options_keep_kinds(const struct options *, struct network *, const struct records *);
/* Exit if a file for the model or certificate of one question was given, and QUESTIONS is larger than 1. */
void options_one_model(const struct options *, int questions);
/* Open the files for the model. Exits if they cannot be written. */
void options_open(struct options *);
void options_free(struct options *);

#endif
