/*
 * Programme: the linear programme of a master problem, with a changing selection of the pool's rows and columns.
 * Columns are the step time (column 0), slacks of each body's layers, then settings of stages. Rows are the layers of
 * each body, the convexity row of each stage, then paths.
 */
#ifndef PROGRAMME_H
#define PROGRAMME_H

#include "lib/linear/tableau.h"
#include "columns.h"

struct subset {			/* a selection of the pool's paths or columns */
	int n;
	int *at;		/* [n], indices in the pool */
};

struct programme {
	struct column_pool *pool;
	struct tableau *lp;
	int first_path;		/* index of the row of the first path */
	int first;		/* index of the column of the first setting */
	struct subset paths, columns;	/* paths and columns in the programme, in order */
	double *x;		/* [room], values of the last solution */
	double ms;		/* the programme's unit of time, ms */
	/* [path_room] and [column_room]: whether the programme has each path and column */
	char *has_path, *has_column;
	int path_room, column_room;
	int *path_used, *column_used;	/* [room], round of the last use of each path and column in the programme */
	int round;		/* number of programmes solved so far */
	double *row;		/* [room], buffer for a row or column */
	int room;
};

/*
 * Create the programme. MS: its unit of time, ms. With several chunks, the programme may leave out layers or place too
 * many, at a penalty.
 */
struct programme programme_new(struct column_pool *, double ms);
void programme_free(struct programme *);
/* Add a column or a path of the pool. Return false if the programme already has it. */
bool programme_join_column(struct programme *, int number);
bool programme_join_path(struct programme *, int number);
/*
 * Solve the programme; *MS receives its value, and x[] the solution. Return false if it is not solved by DEADLINE (s of
 * clock_now()).
 */
bool programme_solve(struct programme *, double deadline, double *ms);
/*
 * Record which rows and columns the solution uses or nearly uses. Get the rows and columns used in the last rounds in
 * PATHS and COLUMNS.
 */
void programme_mark_used(struct programme *, struct subset *paths, struct subset *columns);
/* Drop rows and columns that were unused for some rounds, because the time of a pivot grows with rows times columns. */
void programme_drop_unused(struct programme *);

#endif
