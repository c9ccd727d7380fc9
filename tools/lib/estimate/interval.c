#include "interval.h"

#include <math.h>
#include <stdlib.h>

#include "lib/base/alloc.h"
#include "lib/base/numbers.h"

/*
 * Standard deviations of the logarithm of a step's error: one common to all steps (EVERYWHERE), and one for each part.
 * Fitted to 267 published steps of 14 sources, leaving out the source to be predicted. Weights are 1/sqrt(rows of the
 * source). Errors follow Student's t with 4 degrees of freedom. Nine of ten errors are within WITHIN standard
 * deviations.
 */
#define EVERYWHERE 0.023
#define WITHIN 2.54
static const double deviation[BOUNDED] = { [BY_MATMUL] = 0.046, [BY_ATTENTION] = 0.072, [BY_MEMORY] = 0.27,
	[BY_HOST] = 0.16, [BY_ALLTOALL] = 0.278, [BY_NETWORK] = 0.625 };

/*
 * Get the fractions of the step by cause, with idle time divided among them. Return the seconds that they are fractions
 * of.
 */
static double
take_shares(const struct appraisal *a, struct interval *i)
{
	const double *part = a->part, layers = part[STEP_FORWARD] + part[STEP_BACKWARD];
	double known = 0, all = 0;

	*i = (struct interval){ .share = { [BY_ALLTOALL] = part[STEP_EP],
	    [BY_NETWORK] = part[STEP_TP] + part[STEP_CP] + part[STEP_PP] + part[STEP_DP] } };
	/* Divide recomputation and measured times in the same proportions as the computed times of layers. */
	for (int k = 0; k < LAYER_SHARES; k++)
		known += a->layer_share[k];
	for (int k = 0; k < LAYER_SHARES; k++)
		i->share[k] = known > 0 ? a->layer_share[k] / known * layers : 0;
	i->share[BY_MATMUL] += part[STEP_HEAD];
	i->share[BY_MEMORY] += part[STEP_OPTIMIZER];
	for (int k = 0; k < BOUNDED; k++)
		all += i->share[k];
	for (int k = 0; k < BOUNDED; k++)
		i->share[k] /= all;
	return all;
}

static struct swings
swings_of(const struct appraisal *a, const struct interval *i, double all)
{
	const double *part = a->part;
	double layers = 0, computed = 0;

	/* Parts extrapolated from the same runs err together, so their errors add linearly. */
	if (a->costs->layers.error > 0)
		layers += a->costs->layers.error / all * (part[STEP_FORWARD] + part[STEP_BACKWARD] + part[STEP_TP] +
		    part[STEP_CP] + part[STEP_EP]);
	if (a->costs->ends.error > 0)
		layers += part[STEP_HEAD] / all * a->costs->ends.error;
	if (!(a->costs->layers.error > 0))
		for (int k = 0; k < LAYER_SHARES; k++)
			computed += pow(i->share[k] * deviation[k] * WITHIN / INTERVAL_NORMAL, 2);
	return (struct swings){ .layers = sqrt(layers * layers + computed),
		.optimizer = part[STEP_OPTIMIZER] / all * (a->besides.error > 0 ? a->besides.error :
		    deviation[BY_MEMORY]),
		.replicas = hypot(part[STEP_DP] * a->network.error, part[STEP_PP] * a->transfers.error) / all };
}

struct swings
interval_swings(const struct appraisal *a)
{
	struct interval i;
	double all = take_shares(a, &i);

	return swings_of(a, &i, all);
}

static double
variance_of(const struct appraisal *a, struct interval *i)
{
	double all = take_shares(a, i), variance = EVERYWHERE * EVERYWHERE;
	struct swings s = swings_of(a, i, all);

	if (a->left >= 0)
		return s.layers * s.layers + s.optimizer * s.optimizer + s.replicas * s.replicas + a->left * a->left;
	for (int k = 0; k < BOUNDED; k++)
		variance += pow(i->share[k] * deviation[k], 2);
	return variance;
}

double
interval_deviation(const struct appraisal *a)
{
	struct interval i;

	return sqrt(variance_of(a, &i));
}

struct interval
interval_of(const struct appraisal *a)
{
	struct interval i;
	double variance = variance_of(a, &i), factor;

	i.error = hypot(sqrt(variance) * (a->left >= 0 ? 1 : WITHIN / INTERVAL_NORMAL), a->borrowed);
	factor = exp(INTERVAL_NORMAL * i.error);
	i.low = a->brief.step_time / factor;
	i.high = a->brief.step_time * factor;
	return i;
}

double
interval_factor(const struct trial *t, size_t n, double left)
{
	double *factor = xcalloc(n + 1, sizeof *factor), nine;
	size_t known = 0;

	for (size_t i = 0; i < n; i++) {
		/*
		 * Factor with which the interval just reaches the error. With equal shapes no variance depends on
		 * distance.
		 */
		double rest = t[i].off / (INTERVAL_NORMAL * INTERVAL_NORMAL) - t[i].alike - left * left;
		double slope = t[i].all - t[i].alike;

		if (slope > 1e-9 * t[i].all)
			factor[known++] = rest > 0 ? sqrt(rest / slope) : 0;
	}
	numbers_sort(factor, known);
	nine = known > 0 ? factor[(size_t)ceil(0.9 * (double)known) - 1] : 1;
	free(factor);
	return fmin(fmax(nine, 0.3), 3);
}
