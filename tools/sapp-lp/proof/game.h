/*
 * Game: means of paths against means of columns. The linear programme chooses, for each stage, a mean of its remaining
 * columns, all layers placed, such that the longest path is shortest; its multipliers are a mean of paths that excludes
 * many columns below the target. Columns enter by reduced cost. The proof does not depend on the solver.
 */
#ifndef GAME_H
#define GAME_H

#include <stdio.h>

#include "columns_left.h"
#include "longest.h"

struct game_path {		/* a path already written, by number */
	struct worth worth;
	uint64_t key;
};

struct mean {			/* of paths */
	int n, *path, *weight;	/* [n], numbers and integer weights */
	struct worth worth;	/* of the mean */
};

struct game {
	const struct problem *p;
	FILE *out;		/* receives paths when first found */
	struct longest longest;
	bool loads;		/* only loads of stages, no other paths */
	double *cost;		/* [slots], buffer */
	int npaths;
	struct game_path *path;
	int first;		/* number of paths from game_begin(), which come first */
	int nactive, *active;	/* needed by the last programme */
	int nchosen, *chosen;	/* columns of the last programme's solution */
	double *share;		/* [nchosen], weights of the chosen columns */
	struct mean best;	/* multipliers of the last programme */
};

struct game game_new(const struct problem *, FILE *out);
void game_free(struct game *);
/*
 * Add the plan's critical path, and for each stage the critical paths with this stage slowed more and more, up to a
 * path through this stage alone.
 */
void game_begin(struct game *, const struct candidate *plan);
/*
 * Solve for the remaining COLUMNS until DEADLINE (s of clock.h). Return false if no mean exists. Adds the work to WORK.
 */
bool game_solve(struct game *, const struct columns_left *, double *work, double deadline);

#endif
