/*
 * Linear: the planning problem over counts of layers, as a model programme.
 *
 *   minimise z,  z >= length of every path through the operations,  peak rows <= limit,  layers placed
 *
 * The paths are far too many to list; those that matter are added when they are found.
 */
#ifndef LP_MODEL_H
#define LP_MODEL_H

#include <lpsolve/lp_lib.h>

#include "path_cuts.h"

struct counted {		/* what a column counts */
	int piece, body, kind;
};

/* Column 1 is z, 2... are the counts. Rows: layers of each body and piece, peaks of each stage, paths. */
struct lp_model {
	const struct problem *p;
	lprec *lp;
	int columns;		/* counts */
	struct counted *column;
	int rows;		/* before the path rows */
	struct path_cuts paths;	/* one a path row */
	double ms, mb;		/* units of time and memory in the programme */
	double *row;		/* room for one row over z and the counts */
	int *index;
};

/* Without path rows. SCALED: in units that make its figures about 1; otherwise ms and MB. */
void lp_model_open(struct lp_model *, const struct problem *, bool scaled);
/* To be called once after lp_model_open(), before anything but lp_model_add(), whose rows are faster to add until then. */
void lp_model_opened(struct lp_model *);
void lp_model_close(struct lp_model *);
void lp_model_add(struct lp_model *, const struct visits *);	/* a path row, unless it is there */
void lp_model_drop(struct lp_model *, int path);

/* For put_abortfunc(): lp_solve asks now and then whether to give up. DEADLINE: a double, s of clock.h. */
int __WINAPI out_of_time(lprec *, void *deadline);

/* z >= path_constant + the sum of count * path_coefficient, ms. */
double path_constant(const struct problem *, const struct visits *);
double path_coefficient(const struct lp_model *, const struct visits *, int column);
/* Sum of count * memory_coefficient <= memory_room, MB, with LIVE[chunks] micro-batches. */
double memory_coefficient(const struct lp_model *, int stage, const int *live, int column);
double memory_room(const struct problem *, int stage);
/* ms of one layer of the column. */
struct times column_times(const struct lp_model *, int column);

#endif
