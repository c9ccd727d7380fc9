/* Pool: the rows (paths) and columns (settings of a stage) that the programmes of one problem share. */
#ifndef POOL_H
#define POOL_H

#include "sapp-lp/bound/relaxation.h"

struct column {			/* one stage's setting */
	int stage;
	int *content;		/* [chunks] */
	int *mix;		/* [chunks] */
	double *backward;	/* [chunks], ms, of the body layers */
};

struct pool {
	const struct problem *problem;
	struct paths paths;
	int ncolumns, column_room;
	struct column *column;
};

/* Begins with the paths that a relaxation found. */
struct pool pool_new(const struct problem *, const struct relaxed *);
void pool_free(struct pool *);
/* The number of a stage's setting in a plan; added when it is not there yet. */
int pool_column(struct pool *, const struct candidate *, int stage);
int pool_copy_column(struct pool *, const struct column *);	/* the same of another pool's */

#endif
