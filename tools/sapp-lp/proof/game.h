/*
 * Game: means of paths against means of columns. For each stage, the linear programme chooses a mean of the remaining
 * columns such that all layers are placed and the longest path is shortest. The multipliers of the programme are a mean
 * of paths that excludes many columns below the target. Columns enter by reduced cost. The proof does not rely on the
 * solver.
 */
#ifndef GAME_H
#define GAME_H

#include <stdio.h>

#include "columns_left.h"
#include "longest.h"

struct game_path {		/* a path already in the certificate, by its number */
	struct worth worth;
	uint64_t key;
};

struct mean {			/* a weighted mean of paths */
	int n, *path, *weight;	/* [n], number and integer weight of each path */
	struct worth worth;	/* visits of the mean */
};

struct game {
	const struct problem *p;
	FILE *out;		/* file to which paths are written when first found */
	struct longest longest;
	bool loads;		/* use only the loads of stages as paths */
	double *cost;		/* [slots], buffer */
	int npaths;
	struct game_path *path;
	int first;		/* number of paths from game_begin(), which precede the others */
	int nactive, *active;	/* paths that the last programme needed */
	int nchosen, *chosen;	/* columns in the solution of the last programme */
	double *share;		/* [nchosen], weights of the chosen columns */
	struct mean best;	/* multipliers of the last programme, as a mean */
};

struct game game_new(const struct problem *, FILE *out);
void game_free(struct game *);
/*
 * Add the critical path of PLAN. For each stage, add also the critical paths with this stage slowed more and more, up
 * to a path through this stage alone.
 */
void game_begin(struct game *, const struct candidate *plan);
/*
 * Solve the game for the remaining COLUMNS until DEADLINE (s of clock_now()). Return false if no mean of columns
 * exists. Adds the work done to *WORK.
 */
bool game_solve(struct game *, const struct columns_left *, double *work, double deadline);

#endif
