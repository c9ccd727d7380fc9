/* Soft paths: end times by a soft maximum, and the flow of paths back from the end. */
#include "soft_paths.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/alloc.h"

/*
 * Table of the soft maximum log(exp(a) + exp(b)) = b + softplus(a - b), and of its derivative, the weight of a. It has
 * values at multiples of 1 / STEPS, from which other values are extrapolated. If a and b differ by more than CLEAR, the
 * larger number has all the weight.
 */
enum { CLEAR = 16, STEPS = 16 };

struct softplus {
	double at, slope;
};

static struct softplus *
softplus_table(void)
{
	struct softplus *t = xcalloc(2 * CLEAR * STEPS + 1, sizeof *t);

	for (int i = 0; i <= 2 * CLEAR * STEPS; i++) {
		double difference = (double)i / STEPS - CLEAR;

		t[i] = (struct softplus){ log1p(exp(difference)), 1 / (1 + exp(-difference)) };
	}
	return t;
}

struct soft_paths
soft_paths_new(const struct evaluator *e)
{
	struct soft_paths s = {
		.evaluator = e,
		.end = xcalloc((size_t)e->noperations + 1, sizeof(double)),
		.share = xcalloc((size_t)e->noperations + 1, sizeof(double)),
		.flow = xcalloc((size_t)e->noperations + 1, sizeof(double)),
		.last = xcalloc((size_t)e->clocks, sizeof(uint32_t)),
		.cost = xcalloc((size_t)e->slots, sizeof(double)),
		.delay = xcalloc((size_t)e->stages + 1, sizeof(double)),
		.table = softplus_table(),
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
	free(s->cost);
	free(s->delay);
	free(s->table);
}

/* Return the soft maximum of two numbers; *SHARE: weight of the first number. */
static inline double
soft_later(const struct softplus *table, double a, double b, double *share)
{
	double difference = a - b, off, bend;
	int i;

	if (!(fabs(difference) < CLEAR)) {
		*share = difference > 0;
		return difference > 0 ? a : b;
	}
	i = (int)((difference + CLEAR) * STEPS + 0.5);
	off = difference + CLEAR - (double)i / STEPS;
	bend = table[i].slope * (1 - table[i].slope) * off;
	*share = table[i].slope + bend;
	return b + table[i].at + (table[i].slope + bend / 2) * off;
}

/* Compute end[] and share[], with times in units of 1 / SHARPNESS ms. */
static void
find_ends(struct soft_paths *s, const double *cost, double sharpness)
{
	const struct evaluator *e = s->evaluator;

	for (int i = 0; i < e->slots; i++)
		s->cost[i] = cost[i] * sharpness;
	for (int i = 0; i <= e->stages; i++)
		s->delay[i] = e->delay[i] * sharpness;
	for (uint32_t i = 0; i < e->noperations; i++) {
		double arrives = s->end[e->needs[i]] + s->delay[e->edge[i]], own = s->end[e->previous[i]], begins;

		/*
		 * If only one of the two predecessors exists, all paths come through it. If none exists, paths begin at
		 * the operation.
		 */
		s->share[i] = e->needs[i] != 0;
		if (e->needs[i] == 0 || e->previous[i] == 0)
			begins = e->needs[i] != 0 ? arrives : own;
		else
			begins = soft_later(s->table, arrives, own, &s->share[i]);
		s->end[i + 1] = begins + s->cost[e->operation[i].slot];
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
	for (int i = 0; i < e->whole; i++)
		longest = fmax(longest, s->end[s->last[i]]);
	for (int i = 0; i < e->whole; i++)
		sum += exp(s->end[s->last[i]] - longest);
	for (int i = 0; i < e->whole; i++)
		s->flow[s->last[i]] = exp(s->end[s->last[i]] - longest) / sum;
	for (uint32_t i = e->noperations; i-- > 0; ) {
		double flow = s->flow[i + 1], part = flow * s->share[i];

		mean->at[e->operation[i].slot] += flow;
		mean->delay += part * e->delay[e->edge[i]];
		s->flow[e->needs[i]] += part;
		s->flow[e->previous[i]] += flow - part;
	}
}
