/*
 * Columns: the pool of columns (a stage's contents and mixes) and rows (paths) generated for one problem, of which the
 * master problems of its nodes are made.  Indices into a pool stay valid until column_pool_keep().
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
/* Drop the paths whose PATH[n] is 0, and the columns whose COLUMN[n] is; the others' become their new indices. */
void column_pool_keep(struct column_pool *, int *path, int *column);
/* The index of the column that a plan has on a stage, added if it is not there yet; of a column of another pool. */
int column_pool_add(struct column_pool *, const struct candidate *, int stage);
int column_pool_copy(struct column_pool *, const struct column *);

#endif
