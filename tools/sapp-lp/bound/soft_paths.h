/*
 * Soft paths: a mean of the paths through the operations, in which a longer path has more weight.  Where an operation
 * waits for two others, their shares of its paths are the logistic function of the difference of their ends.  Whatever
 * the shares are, the result is a mean of paths, and its length a lower bound on the step time.
 */
#ifndef SOFT_PATHS_H
#define SOFT_PATHS_H

#include "sapp-lp/model/evaluator.h"

struct soft_paths {
	const struct evaluator *evaluator;
	/* Scratch; times in units of 1 / sharpness. */
	double *cost;		/* [slots] */
	double *delay;		/* [1 + stages] */
	double *end;		/* [noperations + 1] */
	double *share;		/* [noperations], part of an operation's paths that come by the one it needs */
	double *flow;		/* [noperations + 1], part of all paths that come by the operation */
	uint32_t *last;		/* [clocks], 1 + the last operation of each */
	struct softplus *table;
};

struct soft_paths soft_paths_new(const struct evaluator *);
void soft_paths_free(struct soft_paths *);
/* Under COST[slots], ms: a path has exp(SHARPNESS) times the weight of one that is a ms shorter. */
void soft_paths_run(struct soft_paths *, const double *cost, double sharpness, struct visits *mean);

#endif
