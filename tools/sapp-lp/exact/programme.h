/*
 * Programme: the linear programme of a master problem, a tableau whose rows are paths and whose columns are settings of
 * stages, both of a pool.  Column 0 is the step time, then come the layers that lack, then the settings; rows are the
 * layers of each body, each stage's choice (convexity), then paths.
 */
#ifndef PROGRAMME_H
#define PROGRAMME_H

#include "columns.h"
#include "sapp-lp/bound/tableau.h"

struct subset {			/* of a pool's paths or columns */
	int n;
	int *at;		/* [n], indices into the pool */
};

struct programme {
	struct column_pool *pool;
	struct tableau *lp;
	int first_path;		/* row of the first path */
	int first;		/* column of the first setting */
	struct subset paths, columns;	/* in the programme, in order */
	double *x;		/* [room], the columns of the last solution */
	double ms;		/* unit of time of the programme's figures */
	/* [path_room] and [column_room]: whether each of the pool is in the programme */
	char *has_path, *has_column;
	int path_room, column_room;
	int *path_used, *column_used;	/* [room], the last round in which each was used */
	int round;		/* of the caller's, counted from 1 */
	double *row;		/* [room], scratch for a row or column */
	int room;
};

/* MS: see above. With several chunks stages may leave layers over, or take more, at a price. */
struct programme programme_new(struct column_pool *, double ms);
void programme_free(struct programme *);
/* Add a column or a path of the pool; false when it was there. */
bool programme_join_column(struct programme *, int number);
bool programme_join_path(struct programme *, int number);
/* False: it cannot be solved by DEADLINE, s of clock.h. Otherwise x[] is its solution, of the value *MS. */
bool programme_solve(struct programme *, double deadline, double *ms);
/* Which rows and columns that solution uses, or nearly; PATHS and COLUMNS get those that were of late. */
void programme_mark_used(struct programme *, struct subset *paths, struct subset *columns);
/* Drop what was not used for some rounds: the simplex method's time is that of rows times columns. */
void programme_drop_unused(struct programme *);

#endif
