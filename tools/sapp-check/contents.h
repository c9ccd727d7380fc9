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
	mpz_t forward, parameter, transient, floor;
	struct front front[RECOMPUTE_KINDS + 1];	/* by the kind of the last layer */
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
/* The least backward with at most so many micro-batches LIVE in ROOM; false: none. OUT is one of the mixes. */
bool content_least(const struct content *, int live, const mpz_t room, mpz_t out);

#endif
