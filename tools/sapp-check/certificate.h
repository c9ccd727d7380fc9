/*
 * Certificate: the records of a proof that sapp-lp(1) -proof writes, one JSON object per line. First comes a proof
 * record, then paths, bounds and branches in order of use, and an end record.
 */
#ifndef CERTIFICATE_H
#define CERTIFICATE_H

#include "lib/field/field.h"

enum certificate_kind {
	CERTIFICATE_PROOF, CERTIFICATE_PATH, CERTIFICATE_LOAD, CERTIFICATE_BOUND, CERTIFICATE_BRANCH, CERTIFICATE_END
};

struct claim {			/* proof record */
	uint64_t given;
	char *plan;		/* name of the plan whose bound is proved */
	char *question;		/* fingerprint of the records of the question */
	double bound;		/* ms; absent: the claim is that no plan fits */
};

struct certificate_steps {			/* path record */
	uint64_t given;
	/* [n][3]: stage, first and last operation, as positions in the stage's order */
	struct grid steps;
};

/* a path that exists in every order, numbered like other paths: all operations of a stage */
struct certificate_load {
	uint64_t given;
	int stage;
};

struct certificate_mean {			/* bound record */
	uint64_t given;
	/* number of open nodes when it was written; the record belongs to the last of these nodes */
	int node;
	struct grid paths;	/* numbers of path records, from 0 */
	struct grid weights;	/* weight of each path; only ratios matter */
	struct list prices;	/* ms per layer of each body; empty: 0 */
};

struct certificate_division {		/* branch record: first the layouts up to a value, then the other layouts */
	uint64_t given;
	int node;		/* see struct certificate_mean */
	int stage, chunk;	/* 0 if absent */
	int layers;		/* value: number of layers of the piece */
	int first;		/* or: number of layers before the piece */
	double backward;	/* or: ms of the backwards of the piece's layers */
	/* or: index of a body, if its layers and earlier layers are in the piece or before it */
	int border;
};

struct certificate_record {
	enum certificate_kind kind;
	struct place place;
	union {
		struct claim claim;
		struct certificate_steps steps;
		struct certificate_load load;
		struct certificate_mean mean;
		struct certificate_division division;
	};
};

struct certificate {
	struct place place;	/* place of the next line */
	char *text, *next;
};

extern const struct fields claim_fields, certificate_division_fields;

/* Open the certificate TEXT of LENGTH bytes and a NUL. Takes ownership of TEXT. */
void certificate_open(struct certificate *, char *text, size_t length, const char *source);
/* Read the next record. Exits if the line is missing or invalid. */
void certificate_next(struct certificate *, struct certificate_record *);
/* Exit unless all records were read. */
void certificate_close(struct certificate *);
void certificate_record_free(struct certificate_record *);

#endif
