/*
 * Certificate: the records of a proof that sapp-lp(1) -proof writes, one JSON object a line. A proof, then paths,
 * bounds and branches in the order in which they are used, and the end.
 */
#ifndef CERTIFICATE_H
#define CERTIFICATE_H

#include "lib/field/field.h"

enum certificate_kind {
	CERTIFICATE_PROOF, CERTIFICATE_PATH, CERTIFICATE_LOAD, CERTIFICATE_BOUND, CERTIFICATE_BRANCH, CERTIFICATE_END
};

struct claim {			/* proof */
	uint64_t given;
	char *plan;		/* the answer whose bound it is */
	char *question;		/* fingerprint of the records that ask */
	double bound;		/* ms; absent: no plan fits */
};

struct steps {			/* path */
	uint64_t given;
	/* [n][3]: stage, and its operations from the one to the other, by their place in its order */
	struct grid steps;
};

struct load {			/* a path that every order has, numbered as others: all operations of a stage */
	uint64_t given;
	int stage;
};

struct mean {			/* bound */
	uint64_t given;
	int node;		/* how many were open when it was written, this one the last */
	struct grid paths;	/* numbers of path records, from 0 */
	struct grid weights;	/* of each; only their ratios count */
	struct list prices;	/* of a layer of each body, ms; none: 0 */
};

struct division {		/* branch: first the layouts with at most so many, then the others */
	uint64_t given;
	int node;		/* as of a bound */
	int stage, chunk;	/* absent: 0 */
	int layers;		/* that it holds, */
	int first;		/* or that are before it, */
	double backward;	/* or ms of its layers' backwards; */
	int border;		/* or a body: up to its last layer all are in it, or in pieces before it */
};

struct certificate_record {
	enum certificate_kind kind;
	struct place place;
	union {
		struct claim claim;
		struct steps steps;
		struct load load;
		struct mean mean;
		struct division division;
	};
};

struct certificate {
	struct place place;	/* of the next line */
	char *text, *next;
};

extern const struct fields claim_fields, division_fields;

/* TEXT, of so many bytes and a NUL behind it, is taken over. */
void certificate_open(struct certificate *, char *text, size_t length, const char *source);
/* Exits where the next line is no record of a certificate, or missing. */
void certificate_next(struct certificate *, struct certificate_record *);
/* Exits unless nothing follows. */
void certificate_close(struct certificate *);
void certificate_record_free(struct certificate_record *);

#endif
