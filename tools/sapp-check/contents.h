/* Contents: every run of layers that a piece may hold, and its mixes not beaten in both activation and backward. */
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
	struct front front[RECOMPUTE_KINDS + 1];	/* by kind of the last layer */
	struct front best;		/* over all of these */
};

struct contents {
	const struct question *question;
	int n;
	struct content *at;
	int width;		/* layers of the largest, plus 1 */
	int *index;		/* [layers + 1][width], by first layer and number of layers; -1: none */
	int *body;		/* [layers], its body */
};

/* List contents of at most MOST layers. */
void contents_open(struct contents *, const struct question *, int most);
void contents_free(struct contents *);
int contents_find(const struct contents *, int first, int layers);
/* Return whether a piece with one content may precede one with the other, with or without layers between. */
bool contents_before(const struct contents *, int one, int other);

#endif
