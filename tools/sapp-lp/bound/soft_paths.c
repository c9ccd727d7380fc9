/* Soft paths: end times with a soft maximum, and the flow of paths back from the end. */
#include "soft_paths.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/alloc.h"

static const double CLEAR = 30;		/* a path exp(30) times as heavy as another has all the weight */

struct soft_paths
soft_paths_new(const struct evaluator *e)
{
	struct soft_paths s = {
		.evaluator = e,
		.end = xcalloc((size_t)e->noperations + 1, sizeof(double)),
		.share = xcalloc((size_t)e->noperations + 1, sizeof(double)),
		.flow = xcalloc((size_t)e->noperations + 1, sizeof(double)),
		.last = xcalloc((size_t)e->stages, sizeof(uint32_t)),
	};

	for (uint32_t i = 0; i < e->noperations; i++)
		s.last[e->operation[i].stage] = i + 1;
	return s;
}

void
soft_paths_free(struct soft_paths *s)
{
	free(s->end);
	free(s->share);
	free(s->flow);
	free(s->last);
}

/* The soft maximum of two times; *SHARE: the first one's part of the weight. */
static double
soft_later(double a, double b, double sharpness, double *share)
{
	double apart = (a - b) * sharpness, ratio;

	if (fabs(apart) > CLEAR) {
		*share = apart > 0;
		return apart > 0 ? a : b;
	}
	ratio = exp(-fabs(apart));
	*share = apart > 0 ? 1 / (1 + ratio) : ratio / (1 + ratio);
	return fmax(a, b) + log1p(ratio) / sharpness;
}

static void
find_ends(struct soft_paths *s, const double *cost, double sharpness)
{
	const struct evaluator *e = s->evaluator;

	for (uint32_t i = 0; i < e->noperations; i++) {
		double arrives = s->end[e->needs[i]] + e->delay[e->edge[i]], own = s->end[e->previous[i]], begins;

		/* Without one of the two, all paths come by the other; without both it is their beginning. */
		s->share[i] = e->needs[i] != 0;
		if (e->needs[i] == 0 || e->previous[i] == 0)
			begins = e->needs[i] != 0 ? arrives : own;
		else
			begins = soft_later(arrives, own, sharpness, &s->share[i]);
		s->end[i + 1] = begins + cost[e->operation[i].slot];
	}
}

void
soft_paths_run(struct soft_paths *s, const double *cost, double sharpness, struct visits *mean)
{
	const struct evaluator *e = s->evaluator;
	double longest = 0, sum = 0;

	find_ends(s, cost, sharpness);
	memset(s->flow, 0, ((size_t)e->noperations + 1) * sizeof *s->flow);
	memset(mean->at, 0, (size_t)e->slots * sizeof *mean->at);
	mean->delay = 0;
	for (int i = 0; i < e->stages; i++)
		longest = fmax(longest, s->end[s->last[i]]);
	for (int i = 0; i < e->stages; i++)
		sum += exp((s->end[s->last[i]] - longest) * sharpness);
	for (int i = 0; i < e->stages; i++)
		s->flow[s->last[i]] = exp((s->end[s->last[i]] - longest) * sharpness) / sum;
	for (uint32_t i = e->noperations; i-- > 0; ) {
		double flow = s->flow[i + 1], part = flow * s->share[i];

		mean->at[e->operation[i].slot] += flow;
		mean->delay += part * e->delay[e->edge[i]];
		s->flow[e->needs[i]] += part;
		s->flow[e->previous[i]] += flow - part;
	}
}
