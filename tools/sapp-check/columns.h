/*
 * Columns: the contents that each stage may hold in its chunks, with recomputation such that they fit. A column is
 * excluded if another column with the same layers is at least as fast, or if it keeps the stage busy for the claim or
 * longer.
 */
#ifndef COLUMNS_H
#define COLUMNS_H

#include "contents.h"

struct hold {			/* a content in a piece, with a mix */
	int piece, content, mix;
	mpz_srcptr recomputed;	/* backward of its layers, in parts of question.ms: see ledger.h */
	mpz_t forward, backward;	/* times of the piece, in parts of question.ms and question.pace */
};

struct columns {
	const struct check_question *question;
	struct check_contents contents;
	/* the claimed minimum step, in parts of question.ms and question.pace; unused without a claim */
	mpz_t claim;
	/* number of possible first layers of a stage: layers + 1; 1: first layers are not distinguished */
	int begins;
	int nhold;
	struct hold *hold;
	int n;
	int *cell;		/* [n]: (stage * begins + first layer) * contents.width + layers */
	int *holds;		/* [n][chunks] */
};

/* List the columns. Return false if they are too many to list. */
bool columns_open(struct columns *, const struct check_question *);
void columns_free(struct columns *);

#endif
