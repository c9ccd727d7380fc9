/*
 * Contents: every run of layers that a piece may hold. Each has the mixes that no other mix beats in both activation
 * and backward.
 */
#ifndef CONTENTS_H
#define CONTENTS_H

#include "question.h"

struct check_mix {
	mpz_t activation, backward;	/* in parts of the question's ledgers: see ledger.h */
};

struct contents_front {
	int n;
	struct check_mix *mix;
};

struct check_content {
	int layers;
	int *count;			/* [bodies], number of layers of each body */
	mpz_t forward, parameter, transient, floor;
	struct contents_front front[RECOMPUTE_KINDS + 1];	/* by kind of the last layer */
	struct contents_front best;		/* front over all these kinds */
};

struct check_contents {
	const struct check_question *question;
	int n;
	struct check_content *at;
	int width;		/* maximum number of layers, plus 1 */
	/* [layers + 1][width], by first layer and number of layers: index of the content; -1: none */
	int *index;
	int *body;		/* [layers], body of each layer */
};

/* List the contents of at most MOST layers. */
void contents_open(struct check_contents *, const struct check_question *, int most);
void check_contents_free(struct check_contents *);
int check_contents_find(const struct check_contents *, int first, int layers);
/*
 * Return whether a piece with content ONE may precede a piece with content OTHER, with or without layers between them.
 */
bool contents_before(const struct check_contents *, int one, int other);

#endif
