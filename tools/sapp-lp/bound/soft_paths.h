/*
 * Soft paths: a mean of the paths through the operations, with larger weight on longer paths. If an operation waits for
 * two operations, each of the two gets a share of the operation's paths. The share is the logistic function of the
 * difference of their end times. With any shares the result is a mean of paths, so its length is a lower bound on the
 * step time.
 */
#ifndef SOFT_PATHS_H
#define SOFT_PATHS_H

#include "sapp-lp/model/evaluator.h"

struct soft_paths {
	const struct evaluator *evaluator;
	/* Buffers; times in units of 1 / sharpness. */
	double *cost;		/* [slots] */
	double *delay;		/* [1 + stages] */
	double *end;		/* [noperations + 1] */
	double *share;		/* [noperations], fraction of an operation's paths that come through its dependency */
	double *flow;		/* [noperations + 1], fraction of all paths that pass through the operation */
	uint32_t *last;		/* [clocks], 1 + index of the last operation of each clock */
	struct softplus *table;
};

struct soft_paths soft_paths_new(const struct evaluator *);
void soft_paths_free(struct soft_paths *);
/*
 * Compute the mean of paths under COST[slots], ms. A path that is longer by 1 ms has exp(SHARPNESS) times the weight.
 */
void soft_paths_run(struct soft_paths *, const double *cost, double sharpness, struct visits *mean);

#endif
