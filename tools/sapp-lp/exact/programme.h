/*
 * Programme: the linear programme of a master problem, with changing rows and columns of a pool. Column 0 is the step
 * time, then slacks of each body's layers, then settings of stages. Rows are the layers of each body, the convexity of
 * each stage, then paths.
 */
#ifndef PROGRAMME_H
#define PROGRAMME_H

#include "lib/linear/tableau.h"
#include "columns.h"

struct subset {			/* of a pool's paths or columns */
	int n;
	int *at;		/* [n], indices in the pool */
};

struct programme {
	struct column_pool *pool;
	struct tableau *lp;
	int first_path;		/* row of the first path */
	int first;		/* column of the first setting */
	struct subset paths, columns;	/* in the programme, in order */
	double *x;		/* [room], values of the last solution */
	double ms;		/* unit of time in the programme */
	/* [path_room] and [column_room]: membership in the programme */
	char *has_path, *has_column;
	int path_room, column_room;
	int *path_used, *column_used;	/* [room], last round of use of each in the programme */
	int round;		/* number of programmes solved */
	double *row;		/* [room], buffer for a row or column */
	int room;
};

/* Create the programme; MS: unit of time. With several chunks stages may leave or exceed layers at a penalty. */
struct programme programme_new(struct column_pool *, double ms);
void programme_free(struct programme *);
/* Add a column or a path of the pool. Return false if the programme has it. */
bool programme_join_column(struct programme *, int number);
bool programme_join_path(struct programme *, int number);
/* Solve; x[] is the solution of value *MS. Return false if it is not solved by DEADLINE, s of clock.h. */
bool programme_solve(struct programme *, double deadline, double *ms);
/*
 * Record the rows and columns that the solution uses, or nearly uses; get those used in the last rounds in PATHS and
 * COLUMNS.
 */
void programme_mark_used(struct programme *, struct subset *paths, struct subset *columns);
/* Drop rows and columns unused for some rounds: a pivot takes rows times columns. */
void programme_drop_unused(struct programme *);

#endif
