/*
 * Linear: the planning problem over counts of layers, as a linear programme.
 *
 *   minimise z,  z >= length of every path through the operations,  peak rows <= limit,  layers placed
 *
 * The paths are far too many to list; those that matter are added when they are found.
 */
#ifndef LINEAR_H
#define LINEAR_H

#include <lpsolve/lp_lib.h>

#include "path_cuts.h"

struct counted {		/* what a column counts */
	int piece, body, kind;
};

/* Column 1 is z, 2... are the counts. Rows: layers of each body and piece, peaks of each stage, paths. */
struct linear {
	const struct problem *p;
	lprec *lp;
	int columns;		/* counts */
	struct counted *column;
	int rows;		/* before the path rows */
	struct paths paths;	/* one a path row */
	double ms, mb;		/* units of time and memory in the programme */
	double *row;		/* room for one row over z and the counts */
	int *index;
};

/* Without path rows. SCALED: in units that make its figures about 1; otherwise ms and MB. */
void linear_open(struct linear *, const struct problem *, bool scaled);
/* To be called once after linear_open(), before anything but linear_add(), whose rows are faster to add until then. */
void linear_opened(struct linear *);
void linear_close(struct linear *);
void linear_add(struct linear *, const struct visits *);	/* a path row, unless it is there */
void linear_drop(struct linear *, int path);

/* For put_abortfunc(): lp_solve asks now and then whether to give up. DEADLINE: a double, s of clock.h. */
int __WINAPI out_of_time(lprec *, void *deadline);

/* z >= path_constant + the sum of count * path_coefficient, ms. */
double path_constant(const struct problem *, const struct visits *);
double path_coefficient(const struct linear *, const struct visits *, int column);
/* Sum of count * memory_coefficient <= memory_room, MB, with LIVE[chunks] micro-batches. */
double memory_coefficient(const struct linear *, int stage, const int *live, int column);
double memory_room(const struct problem *, int stage);
/* ms of one layer of the column. */
struct times column_times(const struct linear *, int column);

#endif
