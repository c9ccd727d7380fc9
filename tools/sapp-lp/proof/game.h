/*
 * Game: means of paths against means of runs. The linear programme that chooses, for each stage, a mean of the contents
 * that are left to it, all layers placed, so that the longest path is shortest; its multipliers are a mean of paths
 * that keeps many runs from being shorter than the target. What the mean proves does not rest on the solver.
 */
#ifndef GAME_H
#define GAME_H

#include <stdio.h>

#include "longest.h"
#include "runs_left.h"

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
	double *cost;		/* [slots], scratch */
	int npaths;
	struct game_path *path;
	int first;		/* of them, those of game_begin(), which come first */
	int nactive, *active;	/* those that the last programme needed */
	double *mean, *spread;	/* [stages], layers in the last solution, and their variance */
	struct mean best;	/* the multipliers of that */
};

struct game game_new(const struct problem *, FILE *out);
void game_free(struct game *);
/* The path of the plan, and for each stage those where it is slower, and so slow that the path keeps to it. */
void game_begin(struct game *, const struct candidate *plan);
/*
 * Solve it for what is left in RUNS, until DEADLINE (s of clock.h); false: there is no mean. WORK grows by what it
 * took.
 */
bool game_solve(struct game *, const struct runs_left *, double *work, double deadline);

#endif
