/*
 * Contents: every run of layers that a piece may hold, and the ways to recompute it that none beats in both activation
 * and backward.
 */
#ifndef CONTENTS_H
#define CONTENTS_H

#include "question.h"

struct mix {
	mpz_t activation, backward;	/* of the question's ledgers */
};

struct front {
	int n;
	struct mix *mix;
};

struct content {
	int layers;
	int *count;			/* [bodies], layers of each */
	mpz_t forward, parameter, transient, floor;
	struct front front[RECOMPUTE_KINDS + 1];	/* by the kind of the last layer */
	struct front best;		/* of all of these */
};

struct contents {
	const struct question *question;
	int n;
	struct content *at;
	int width;		/* layers of the largest, and 1 */
	int *index;		/* [layers + 1][width], by first layer and number of layers; -1: there is none */
	int *body;		/* [layers], which each is */
};

/* Those of at most MOST layers. */
void contents_open(struct contents *, const struct question *, int most);
void contents_free(struct contents *);
int contents_find(const struct contents *, int first, int layers);
/* May a piece with one content stand before a piece with the other, with layers between them or none? */
bool contents_before(const struct contents *, int one, int other);

#endif
