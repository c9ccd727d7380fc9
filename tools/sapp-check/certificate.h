/*
 * Certificate: the records of a proof written by sapp-lp(1) -proof, one JSON object per line: a proof, then paths,
 * bounds and branches in order of use, and the end.
 */
#ifndef CERTIFICATE_H
#define CERTIFICATE_H

#include "lib/field/field.h"

enum certificate_kind {
	CERTIFICATE_PROOF, CERTIFICATE_PATH, CERTIFICATE_LOAD, CERTIFICATE_BOUND, CERTIFICATE_BRANCH, CERTIFICATE_END
};

struct claim {			/* proof */
	uint64_t given;
	char *plan;		/* the answer with the bound */
	char *question;		/* fingerprint of the question's records */
	double bound;		/* ms; absent: no plan fits */
};

struct certificate_steps {			/* path */
	uint64_t given;
	/* [n][3]: stage, first and last operation, by position in its order */
	struct grid steps;
};

struct certificate_load {	/* a path of every order, numbered like others: all operations of a stage */
	uint64_t given;
	int stage;
};

struct certificate_mean {			/* bound */
	uint64_t given;
	int node;		/* number of open nodes when written, including this one, the last */
	struct grid paths;	/* numbers of path records, from 0 */
	struct grid weights;	/* of each; only ratios matter */
	struct list prices;	/* per layer of each body, ms; empty: 0 */
};

struct certificate_division {		/* branch: first the layouts up to a value, then the rest */
	uint64_t given;
	int node;		/* as in a bound */
	int stage, chunk;	/* absent: 0 */
	int layers;		/* layers of the piece */
	int first;		/* or layers before it */
	double backward;	/* or ms of its layers' backwards */
	int border;		/* or a body: its layers and earlier ones are in the piece or before it */
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
	struct place place;	/* of the next line */
	char *text, *next;
};

extern const struct fields claim_fields, certificate_division_fields;

/* TEXT has LENGTH bytes and a NUL. Takes ownership of TEXT. */
void certificate_open(struct certificate *, char *text, size_t length, const char *source);
/* Read the next record; exits if the line is invalid or missing. */
void certificate_next(struct certificate *, struct certificate_record *);
/* Exit unless this is the end. */
void certificate_close(struct certificate *);
void certificate_record_free(struct certificate_record *);

#endif
