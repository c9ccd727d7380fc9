/*
 * Columns: the contents that each stage may hold in its chunks, with recomputation such that they fit. Excludes columns
 * slower than another one with the same layers, and columns that keep the stage busy for the claim or longer.
 */
#ifndef COLUMNS_H
#define COLUMNS_H

#include "contents.h"

struct hold {			/* a content in a piece with a mix */
	int piece, content, mix;
	mpz_srcptr recomputed;	/* backward of its layers, in parts of question.ms */
	mpz_t forward, backward;	/* of the piece, in parts of question.ms and pace */
};

struct columns {
	const struct check_question *question;
	struct check_contents contents;
	mpz_t claim;		/* minimum of every step, in parts of ms and pace; unused without a claim */
	int begins;		/* number of possible first layers of a stage: each layer and the end; or 1: any */
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
