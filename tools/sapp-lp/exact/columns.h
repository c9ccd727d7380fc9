/* Pool: the rows (paths) and columns (settings of a stage) that the programmes of one problem share. */
#ifndef COLUMNS_H
#define COLUMNS_H

#include "sapp-lp/bound/relaxation.h"

struct column {			/* one stage's setting */
	int stage;
	int *content;		/* [chunks] */
	int *mix;		/* [chunks] */
	double *backward;	/* [chunks], ms, of the body layers */
};

struct column_pool {
	const struct problem *problem;
	struct path_cuts paths;
	int ncolumns, column_room;
	struct column *column;
};

/* Begins with the paths that a relaxation found. */
struct column_pool column_pool_new(const struct problem *, const struct relaxed *);
void column_pool_free(struct column_pool *);
/* The number of a stage's setting in a plan; added when it is not there yet. */
int column_pool_add(struct column_pool *, const struct candidate *, int stage);
int column_pool_copy(struct column_pool *, const struct column *);	/* the same of another pool's */

#endif
