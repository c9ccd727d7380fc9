/*
 * Sampling: steps with random times of micro-batches and layers, the same samples for all plans. Micro-batch m of piece
 * i takes max(0, 1 + e z(m) + E(i) z(i, m)) times the mean. e is common to all layers, as with packed sequences; E(i)
 * is the mean error of the piece's layers weighted by time, as with unbalanced experts; z are standard normal. The mean
 * step is not below the step of mean times, which is convex in them (Jensen), so a bound on the step of mean times also
 * bounds the mean step.
 */
#ifndef SAMPLING_H
#define SAMPLING_H

#include "lib/base/table.h"
#include "sapp-lp/model/problem.h"

enum { SAMPLES = 128 };		/* a multiple of LANES */

struct sampling;

/* MICRO_SPREAD: e. The problem must outlive it. */
struct sampling *sampling_new(const struct problem *, double micro_spread);
void sampling_free(struct sampling *);
/* Return whether any layer of a network has an error. */
bool sampling_needed(const struct network *);

struct quantiles {
	double p50, p90;	/* ms */
};
/* Sort STEP[SAMPLES] and return its quantiles. */
struct quantiles quantiles_of(double *step);
/*
 * Move single layers between pieces, with recomputation as their stages need, while p90 falls, until DEADLINE (s of
 * clock.h). Return the quantiles of the plan, unchanged if the deadline is over.
 */
struct quantiles sampling_improve(struct sampling *, struct candidate *, double deadline);
/*
 * Return the factors of a sample for the last plan of sampling_improve(), [pieces x micro-batches] by piece number in
 * plan records; caller frees.
 */
struct table sampling_factors(const struct sampling *, int sample);

#endif
