/*
 * Columns left: the columns that each stage may hold in a plan shorter than a target, as sapp-check(1) computes them. A
 * mean of paths drops the same columns here as there, except for rounding. With one chunk per stage a column is a run
 * of layers. With several chunks it is the contents of the chunks in any order.
 */
#ifndef COLUMNS_LEFT_H
#define COLUMNS_LEFT_H

#include "sapp-lp/model/problem.h"

struct worth {			/* visits of a mean of paths */
	double *forward, *backward;	/* [pieces], visits of the operations of each piece, times the pace */
	double *price;		/* [bodies], ms per layer on any piece, subtracted from costs */
	double delay;		/* ms, transfers of the mean plus the prices of all layers */
};

struct held {			/* contents of a piece */
	int content;
	double forward, backward;	/* ms, at pace 1 */
	double recomputed;	/* ms, the part of backward that its layers take */
};

struct columns_left {
	const struct problem *p;
	bool any_order;		/* see columns_left_any_order() */
	double target;		/* ms: columns of plans shorter than this are left */
	int width;		/* maximum number of layers of a column, plus 1 */
	/* number of possible first layers of a stage: layers + 1; 1: first layers are not distinguished */
	int begins;
	int n;
	int *cell;		/* [n]: (stage * begins + first layer) * width + number of layers */
	struct held *held;	/* [n][chunks] */
	unsigned char *alive;	/* [n], set by the caller: 1 if the column is left */
	double *cost;		/* [n], buffer */
	/* [cells]: least cost of the columns of a cell; least cost of the rest of a layout with such a column */
	double *least, *around;
	double *before, *after;	/* [stages + 1][layers + 1] */
};

/*
 * Return whether sapp-check(1) does not know the order of operations, and accepts only the loads of stages as paths.
 * Then columns have the least backward, regardless of memory.
 */
bool columns_left_any_order(const struct problem *);
/* List all columns. Return false if they are too many. */
bool columns_left_open(struct columns_left *, const struct problem *, double target);
void columns_left_free(struct columns_left *);
int column_stage(const struct columns_left *, int column);
int column_first(const struct columns_left *, int column);	/* return the first layer; 0: any */
int column_layers(const struct columns_left *, int column);
/* Return the length that the column adds to a mean of paths, ms. */
double column_cost(const struct columns_left *, int column, const struct worth *);
/*
 * Drop the columns that the mean excludes and return their number; SIZE_MAX: no layout is left. *MS: minimum length
 * over layouts.
 */
size_t columns_left_drop(struct columns_left *, const struct worth *, double *ms);
/* Drop the columns that are in no layout. Return false if no layout is left. */
bool columns_left_any(struct columns_left *);

#endif
