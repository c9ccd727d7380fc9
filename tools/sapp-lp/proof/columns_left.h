/*
 * Columns left: what each stage may hold in a plan shorter than a target, as sapp-check(1) computes it: the same
 * columns are dropped by a mean of paths, but for rounding. With one chunk per stage a column is a run of layers; with
 * several, contents of its chunks in any order.
 */
#ifndef COLUMNS_LEFT_H
#define COLUMNS_LEFT_H

#include "sapp-lp/model/problem.h"

struct worth {			/* of a mean of paths */
	double *forward, *backward;	/* [pieces], visits of each piece's operations times the pace */
	double *price;		/* [bodies], ms per layer on any piece, subtracted */
	double delay;		/* ms, including all these prices */
};

struct held {			/* in a piece */
	int content;
	double forward, backward;	/* ms, at pace 1 */
	double recomputed;	/* ms, backward of its layers */
};

struct columns_left {
	const struct problem *p;
	bool any_order;		/* see columns_left_any_order() */
	double target;		/* ms */
	int width;		/* layers of the largest, plus 1 */
	int begins;		/* number of possible first layers of a stage: layers + 1; or 1: any */
	int n;
	int *cell;		/* [n]: (stage * begins + first layer) * width + number of layers */
	struct held *held;	/* [n][chunks] */
	unsigned char *alive;	/* [n], set by the caller: 1 if the column remains */
	double *cost;		/* [n], buffer */
	/* [cells]: least cost of a cell's columns; least cost of the rest of a layout with such a column */
	double *least, *around;
	double *before, *after;	/* [stages + 1][layers + 1] */
};

/*
 * Return whether sapp-check(1) does not know the order of operations and only accepts loads of stages. Then columns
 * have the least backward, whatever fits.
 */
bool columns_left_any_order(const struct problem *);
/* Return false if the columns are too many. */
bool columns_left_open(struct columns_left *, const struct problem *, double target);
void columns_left_free(struct columns_left *);
int column_stage(const struct columns_left *, int column);
int column_first(const struct columns_left *, int column);	/* first layer; 0: any */
int column_layers(const struct columns_left *, int column);
/* Return the column's part of a mean of paths, ms. */
double column_cost(const struct columns_left *, int column, const struct worth *);
/* Drop the columns excluded by the mean; return their number, SIZE_MAX: none is left. *MS: minimum over layouts. */
size_t columns_left_drop(struct columns_left *, const struct worth *, double *ms);
/* Drop columns that are in no layout. Return false if no layout exists. */
bool columns_left_any(struct columns_left *);

#endif
