/*
 * Columns: the pool of columns (whole settings of a stage) and rows (paths) that were generated for one problem, from
 * which its master problems are made.  Indices into a pool stay valid until column_pool_keep().
 */
#ifndef COLUMNS_H
#define COLUMNS_H

#include "sapp-lp/bound/path_cuts.h"

struct column {			/* contents and mixes of one stage's chunks */
	int stage;
	int *content;		/* [chunks] */
	int *mix;		/* [chunks] */
	double *backward;	/* [chunks], ms, of the body layers */
	double *gradient;	/* [chunks], mix.gradient */
};

struct column_pool {
	const struct problem *problem;
	struct path_cuts paths;
	int ncolumns;
	struct column *column;
	struct index index;	/* of columns */
};

/* With a copy of the paths, and no columns. */
struct column_pool column_pool_new(const struct problem *, const struct path_cuts *);
void column_pool_free(struct column_pool *);
/* Drop the paths whose PATH[n] is 0, and the columns so; the others get new indices, which replace theirs. */
void column_pool_keep(struct column_pool *, int *path, int *column);
/* The index of the column of a plan's stage, which is added if it is not there yet. */
int column_pool_add(struct column_pool *, const struct candidate *, int stage);
int column_pool_copy(struct column_pool *, const struct column *);	/* the same, of a column of another pool */

#endif
