/*
 * Programme: the linear programme of a master problem, with rows and columns of a pool that come and go.  Column 0 is
 * the step time, then come slacks of the layers of each body, then the settings of stages; rows are the layers of each
 * body, each stage's convexity, then paths.
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
	double *x;		/* [room], values of the columns in the last solution */
	double ms;		/* unit of time of the programme's figures */
	/* [path_room] and [column_room]: whether each of the pool is in the programme */
	char *has_path, *has_column;
	int path_room, column_room;
	int *path_used, *column_used;	/* [room], the last round in which each in the programme was used */
	int round;		/* programmes solved so far */
	double *row;		/* [room], scratch for a row or column */
	int room;
};

/* MS: see above. With several chunks stages may leave layers over, or take more, at a penalty. */
struct programme programme_new(struct column_pool *, double ms);
void programme_free(struct programme *);
/* Add a column or a path of the pool; false when it was there. */
bool programme_join_column(struct programme *, int number);
bool programme_join_path(struct programme *, int number);
/* False: it cannot be solved by DEADLINE, s of clock.h. Otherwise x[] is its solution, of the value *MS. */
bool programme_solve(struct programme *, double deadline, double *ms);
/* Note which rows and columns that solution uses, or nearly; PATHS and COLUMNS get those used in the last rounds. */
void programme_mark_used(struct programme *, struct subset *paths, struct subset *columns);
/* Purge rows and columns not used for some rounds: a pivot takes the time of rows times columns. */
void programme_drop_unused(struct programme *);

#endif
