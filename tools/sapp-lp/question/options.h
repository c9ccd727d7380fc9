/* Options: the command line. */
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
	enum { LESS_NO, LESS_YES, LESS_BOTH } less;	/* schedules vpp, vpp-less or both, without -S */
	const char *schedules;	/* names separated by commas; NULL: by interleave and less */
	const char *order_file;
	char *order;		/* order of the schedule custom; NULL: none */
	const char *model, *solver;
	const char *known_file;	/* answers to the same questions with other limits */
	const char *lp_file, *mps_file, *proof_file;
	struct output lp, mps, proof;	/* files of the model and the certificate; .file NULL: not requested */
	const struct records *input;	/* source of the question, for the certificate */
	enum target target;	/* framework of the run */
	int mixes;		/* enum mixes; -1: unset */
	bool empty;		/* pieces may be empty */
	bool dry;		/* -n */
	bool uniform;		/* recompute all pieces alike */
	bool listed;		/* see contents_new() */
	double offload;		/* GB/s; 0: no offloading */
	double cutoff;		/* ms: give up questions with a bound not below it; 0: none */
	double spread;		/* standard deviation of micro-batches' times / mean; 0: none */
	struct devices devices;	/* lists without numbers: unset */
	int transfers;		/* enum transfer_mode; -1: the framework's */
	int measured;		/* enum transfer_mode of the measured run */
	struct effort effort;
};

/* Exits on unknown options, unreadable files or missing solvers. */
struct options options_read(int argc, char *argv[]);
/* Keep only the kinds of recomputation to plan with, by the kind RECORDS. */
void options_keep_kinds(const struct options *, struct network *, const struct records *);
/* Exit if a file for one question's model or certificate was given and QUESTIONS is larger than 1. */
void options_one_model(const struct options *, int questions);
/* Open the files for the model; exits if they cannot be written. */
void options_open(struct options *);
void options_free(struct options *);

#endif
