/*
 * Columns: what each stage may hold in its chunks, recomputed so that it fits, and none as fast as another with the
 * same layers; and does not keep the stage busy for as long as is claimed.
 */
#ifndef COLUMNS_H
#define COLUMNS_H

#include "contents.h"

struct hold {			/* a content in a piece, recomputed in one way */
	int piece, content, mix;
	mpz_srcptr recomputed;	/* backward of its layers, in parts of question.ms */
	mpz_t forward, backward;	/* of the piece, in parts of question.ms and pace */
};

struct columns {
	const struct question *question;
	struct contents contents;
	mpz_t claim;		/* what every step takes, in parts of ms and pace; useless without one */
	int begins;		/* where a stage's layers may begin: each layer and behind the last; or 1: anywhere */
	int nhold;
	struct hold *hold;
	int n;
	int *cell;		/* [n]: (stage * begins + where they begin) * contents.width + layers */
	int *holds;		/* [n][chunks] */
};

/* False: there are too many to list. */
bool columns_open(struct columns *, const struct question *);
void columns_free(struct columns *);

#endif
