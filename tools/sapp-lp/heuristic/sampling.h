/*
 * Sampling: step times with random times of micro-batches and layers, with the same samples for all plans. Micro-batch
 * m of piece i takes max(0, 1 + e z(m) + E(i) z(i, m)) times its mean time. The spread e is common to all layers, as
 * with packed sequences. E(i) is the mean error of the piece's layers weighted by time, as with unbalanced experts. All
 * z are standard normal. The step is convex in the times, so the mean step is not below the step of the mean times
 * (Jensen). Thus a bound on the step of the mean times also bounds the mean step.
 */
#ifndef SAMPLING_H
#define SAMPLING_H

#include "lib/base/table.h"
#include "sapp-lp/model/problem.h"

enum { SAMPLES = 128 };		/* a multiple of LANES */

struct sampling;

/* Create samples. MICRO_SPREAD: the spread e. The problem must outlive the samples. */
struct sampling *sampling_new(const struct problem *, double micro_spread);
void sampling_free(struct sampling *);
/* Return whether any layer of a network has a nonzero error. */
bool sampling_needed(const struct network *);

struct quantiles {
	double p50, p90;	/* ms */
};
/* Sort STEP[SAMPLES], ms, and return its quantiles. */
struct quantiles quantiles_of(double *step);
/*
 * Move single layers between pieces while p90 falls, until DEADLINE (s of clock_now()). The recomputation of the
 * changed stages is chosen to fit. Return the quantiles of the resulting plan, which is the initial plan if the
 * deadline has passed.
 */
struct quantiles sampling_improve(struct sampling *, struct candidate *, double deadline);
/*
 * Return the factors of a sample for the last plan of sampling_improve(), [pieces x micro-batches]. Pieces are numbered
 * as in plan records. Caller frees.
 */
struct table sampling_factors(const struct sampling *, int sample);

#endif
