/*
 * Columns left: what each stage may hold in a plan shorter than a target, as sapp-check(1) will have it: what it drops
 * by a mean of paths is dropped here, too, but for rounding. With one chunk a stage that is a run of layers; with
 * several, contents of its chunks, in whatever order.
 */
#ifndef COLUMNS_LEFT_H
#define COLUMNS_LEFT_H

#include "sapp-lp/model/problem.h"

struct worth {			/* of a mean of paths */
	double *forward, *backward;	/* [pieces], how often it has each piece's operations, times the pace */
	double *price;		/* [bodies], ms that a layer is worth wherever it is, taken off */
	double delay;		/* ms, with all those prices */
};

struct held {			/* in a piece */
	int content;
	double forward, backward;	/* ms, at pace 1 */
	double recomputed;	/* ms, the backward of its layers */
};

struct columns_left {
	const struct problem *p;
	bool any_order;		/* see columns_left_any_order() */
	double target;		/* ms */
	int width;		/* layers of the largest, and 1 */
	int begins;		/* where a stage's layers may begin: layers + 1; or 1: anywhere */
	int n;
	int *cell;		/* [n]: (stage * begins + where its layers begin) * width + how many they are */
	struct held *held;	/* [n][chunks] */
	unsigned char *alive;	/* [n], the caller's: those that are left */
	double *cost;		/* [n], scratch */
	double *least, *around;	/* [cells], of a cell's columns; of all else in a layout with one of them */
	double *before, *after;	/* [stages + 1][layers + 1] */
};

/*
 * Is the order of operations one that sapp-check(1) does not know, of which all that it takes are loads of stages? Then
 * columns have the least backward, whatever fits.
 */
bool columns_left_any_order(const struct problem *);
/* False: there are too many. */
bool columns_left_open(struct columns_left *, const struct problem *, double target);
void columns_left_free(struct columns_left *);
int column_stage(const struct columns_left *, int column);
int column_first(const struct columns_left *, int column);	/* where its layers begin; 0: anywhere */
int column_layers(const struct columns_left *, int column);
/* The column's share of a mean of paths, ms. */
double column_cost(const struct columns_left *, int column, const struct worth *);
/* Drop what the mean shows; how many, SIZE_MAX: nothing is left. *MS: the least of all layouts. */
size_t columns_left_drop(struct columns_left *, const struct worth *, double *ms);
/* Drop what is in no layout; false: there is none. */
bool columns_left_any(struct columns_left *);

#endif
