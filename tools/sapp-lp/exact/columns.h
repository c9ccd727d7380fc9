/*
 * Columns: the pool of columns (contents and mixes of a stage) and rows (paths) generated for a problem. The master
 * problems of all nodes use it. Indices are valid until column_pool_keep().
 */
#ifndef COLUMNS_H
#define COLUMNS_H

#include "sapp-lp/bound/path_cuts.h"

struct column {			/* contents and mixes of a stage's chunks */
	int stage;
	int *content;		/* [chunks] */
	int *mix;		/* [chunks] */
	double *backward;	/* [chunks], ms, backward of the BODY layers */
	double *gradient;	/* [chunks], mix.gradient */
};

struct column_pool {
	const struct problem *problem;
	struct path_cuts paths;
	int ncolumns;
	struct column *column;
	struct index index;	/* of columns */
};

/* Create a pool with a copy of the paths, and without columns. */
struct column_pool column_pool_new(const struct problem *, const struct path_cuts *);
void column_pool_free(struct column_pool *);
/* Drop the paths with PATH[n] 0 and the columns with COLUMN[n] 0. Set the other numbers to the new indices. */
void column_pool_keep(struct column_pool *, int *path, int *column);
/*
 * Return the index of a plan's column on a stage. column_pool_copy() returns the index of another pool's column. Both
 * add the column if it is new.
 */
int column_pool_add(struct column_pool *, const struct candidate *, int stage);
int column_pool_copy(struct column_pool *, const struct column *);

#endif
