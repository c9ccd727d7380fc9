/* Contents: every run of layers that a piece may hold, and its mixes not beaten in both activation and backward. */
#ifndef CONTENTS_H
#define CONTENTS_H

#include "question.h"

struct check_mix {
	mpz_t activation, backward;	/* of the question's ledgers */
};

struct contents_front {
	int n;
	struct check_mix *mix;
};

struct check_content {
	int layers;
	int *count;			/* [bodies], layers of each */
	mpz_t forward, parameter, transient, floor;
	struct contents_front front[RECOMPUTE_KINDS + 1];	/* by kind of the last layer */
	struct contents_front best;		/* over all of these */
};

struct check_contents {
	const struct check_question *question;
	int n;
	struct check_content *at;
	int width;		/* layers of the largest, plus 1 */
	int *index;		/* [layers + 1][width], by first layer and number of layers; -1: none */
	int *body;		/* [layers], its body */
};

/* List contents of at most MOST layers. */
void contents_open(struct check_contents *, const struct check_question *, int most);
void check_contents_free(struct check_contents *);
int check_contents_find(const struct check_contents *, int first, int layers);
/* Return whether a piece with one content may precede one with the other, with or without layers between. */
bool contents_before(const struct check_contents *, int one, int other);

#endif
