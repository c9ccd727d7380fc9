/*
 * Sampling: steps whose micro-batches and layers take more or less time than the mean, the same samples for all plans.
 * Micro-batch m of piece i takes max(0, 1 + e z(m) + E(i) z(i, m)) times the mean: e is one for all layers, as where
 * sequences are packed, and E(i) the mean of the errors of the piece's layers by their times, as where experts are
 * not in balance; z are standard normal. The mean step is not below the step of mean times, for that is convex in
 * them (Jensen), so a bound on this one is a bound on that.
 */
#ifndef SAMPLING_H
#define SAMPLING_H

#include "lib/field/table.h"
#include "sapp-lp/model/problem.h"

enum { SAMPLES = 128 };		/* a multiple of LANES */

struct sampling;

/* MICRO_SPREAD: e. The problem must outlive it. */
struct sampling *sampling_new(const struct problem *, double micro_spread);
void sampling_free(struct sampling *);
/* Does any layer of a network have an error of its own? */
bool sampling_needed(const struct network *);

struct quantiles {
	double p50, p90;	/* ms */
};
/* Of STEP[SAMPLES], which are sorted. */
struct quantiles quantiles_of(double *step);
/*
 * Move layers between pieces, one at a time, and recompute as their stages then need, as long as p90 falls, until
 * DEADLINE (s of clock.h); the quantiles of the plan then, which stays as it is where the deadline is over.
 */
struct quantiles sampling_improve(struct sampling *, struct candidate *, double deadline);
/*
 * The factors of a sample for the last plan of sampling_improve(), [pieces x micro-batches] by the number
 * that a piece has in plan records; to be freed.
 */
struct table sampling_factors(const struct sampling *, int sample);

#endif
