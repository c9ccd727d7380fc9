/* Options: what the command line asks for. */
#ifndef OPTIONS_H
#define OPTIONS_H

#include "lib/base/output.h"
#include "lib/field/table.h"
#include "lib/record/overhead.h"
#include "lib/target/target.h"
#include "sapp-lp/planner/planner.h"


struct options {
	char **operands;
	int stages, micro;	/* 0: not given; see options_default() */
	int splits, group, keep;
	struct grid interleave;	/* empty: not given */
	struct list memory;	/* MB, one limit for all stages or one for each; n = 0: not given */
	enum { LESS_NO, LESS_YES, LESS_BOTH } less;	/* the schedule vpp, vpp-less or both, where -S is not given */
	const char *schedules;	/* names separated by commas; NULL: by interleave and less */
	const char *order_file;
	char *order;		/* of the schedule custom; NULL: none given */
	const char *model, *solver;
	const char *known_file;	/* answers to the same questions with other limits */
	const char *lp_file, *mps_file, *proof_file;
	struct output lp, mps, proof;	/* for the model, and for the certificate; .file NULL: not asked for */
	const struct records *input;	/* that the question is from, for the certificate */
	enum target target;	/* the framework that is to run it */
	int mixes;		/* enum mixes; -1: not given */
	bool empty;		/* pieces may be without layers */
	bool dry;		/* -n */
	bool uniform;		/* every piece is recomputed alike */
	bool listed;		/* see contents_new() */
	double offload;		/* GB/s; 0: nothing is offloaded */
	double cutoff;		/* ms: questions whose bound is not below it are given up; 0: none */
	double spread;		/* of micro-batches' times; 0: none */
	struct devices devices;	/* lists without numbers: not given */
	int transfers;		/* enum transfer_mode; -1: the framework's */
	int measured;		/* enum transfer_mode: as the run that was measured had them */
	struct effort effort;
};

/* Exits when there is no such option, file to read or solver. */
struct options options_read(int argc, char *argv[]);
/* Only the kinds of recomputation that are to be planned with, by the kind RECORDS. */
void options_keep_kinds(const struct options *, struct network *, const struct records *);
/* Exits where a file is to hold the model, or the certificate, of one question, and they are more. */
void options_one_model(const struct options *, int questions);
/* Open the files for the model; exits when they cannot be written. */
void options_open(struct options *);
void options_free(struct options *);

#endif
