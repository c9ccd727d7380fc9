/*
 * Game: means of paths against means of columns. The linear programme that chooses, for each stage, a mean of those
 * that are left to it, all layers placed, so that the longest path is shortest; its multipliers are a mean of paths
 * that keeps many columns from being shorter than the target. Columns come in as they are of use, by their reduced
 * costs. What the mean proves does not rest on the solver.
 */
#ifndef GAME_H
#define GAME_H

#include <stdio.h>

#include "longest.h"
#include "columns_left.h"

struct game_path {		/* one that has been written, by its number */
	struct worth worth;
	uint64_t key;
};

struct mean {			/* of paths */
	int n, *path, *weight;	/* [n], numbers and whole weights */
	struct worth worth;	/* theirs */
};

struct game {
	const struct problem *p;
	FILE *out;		/* where paths are written when they are first found */
	struct longest longest;
	bool loads;		/* of stages, no other paths */
	double *cost;		/* [slots], scratch */
	int npaths;
	struct game_path *path;
	int first;		/* of them, those of game_begin(), which come first */
	int nactive, *active;	/* those that the last programme needed */
	int nchosen, *chosen;	/* columns of the last programme's solution */
	double *share;		/* [nchosen], of each in it */
	struct mean best;	/* the multipliers of that */
};

struct game game_new(const struct problem *, FILE *out);
void game_free(struct game *);
/* The path of the plan, and for each stage those where it is slower, and so slow that the path keeps to it. */
void game_begin(struct game *, const struct candidate *plan);
/*
 * Solve it for what is left in COLUMNS, until DEADLINE (s of clock.h); false: there is no mean. WORK grows by what it
 * took.
 */
bool game_solve(struct game *, const struct columns_left *, double *work, double deadline);

#endif
