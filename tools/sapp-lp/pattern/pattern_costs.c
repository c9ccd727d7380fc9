/* Pattern costs: from lists of settings; otherwise by pricing.h first, then by exact_price.h. */
#include "pattern_costs.h"

#include <math.h>
#include <stdlib.h>

#include "lib/base/alloc.h"
#include "exact_price.h"
#include "node_bounds.h"

/*
 * Return the cost of the cheapest setting in a pattern's list within the node's bounds, and its index in *SETTING.
 * Return INFINITY if no setting is within the bounds.
 */
static double
settings_price(const struct patterns *c, int stage, const struct pattern *d, const struct times *worth, int *setting)
{
	const struct problem *p = c->problem;
	double fixed = 0, least = INFINITY, visits[p->chunks];
	const double *row = d->settings->backward, *part = d->settings->gradient;

	for (int v = 0; v < p->chunks; v++) {
		const struct mix none = { 0 };

		fixed += times_product(worth[v], piece_times(p, v * p->stages + stage,
		    &p->contents.content[d->content[v]], &none));
		visits[v] = worth[v].backward;
	}
	for (int i = 0; i < d->settings->n; i++, row += p->chunks, part += p->chunks) {
		double sum = fixed;

		for (int v = 0; v < p->chunks; v++)
			sum += visits[v] * row[v] + worth[v].gradient * part[v];
		if (sum < least && (c->bounds == NULL || node_allows_setting(p, c->bounds, stage, row, part))) {
			least = sum;
			*setting = i;
		}
	}
	return least;
}

/* Return a lower bound on the cost of the settings of a pattern without a list. */
static double
unlisted_price(const struct problem *p, int stage, const struct pattern *d, struct pricing *prices)
{
	struct mix mix = { 0 };

	if (d->floor == NULL)
		return pricing_bound(prices, d->content);
	mix.backward = *d->floor;
	return times_product(prices->worth[0], piece_times(p, stage, &p->contents.content[d->content[0]], &mix));
}

struct pattern_costs
pattern_costs_new(const struct patterns *c, const struct visits *weight)
{
	const struct problem *p = c->problem;
	struct pattern_costs o = { .patterns = c };

	o.priced = xcalloc((size_t)p->stages, sizeof *o.priced);
	o.prices = xcalloc((size_t)p->stages, sizeof *o.prices);
	for (int s = 0; s < p->stages; s++) {
		o.priced[s] = xcalloc((size_t)c->n[s], sizeof **o.priced);
		o.prices[s] = pricing_new(p, s, weight);
		for (int i = 0; i < c->n[s]; i++) {
			const struct pattern *d = &c->pattern[s][i];
			struct priced *priced = &o.priced[s][i];

			priced->open = d->settings == NULL;
			priced->cost = priced->open ? unlisted_price(p, s, d, &o.prices[s]) :
			    settings_price(c, s, d, o.prices[s].worth, &priced->setting);
		}
	}
	return o;
}

void
pattern_costs_free(struct pattern_costs *o)
{
	for (int s = 0; s < o->patterns->problem->stages; s++) {
		free(o->priced[s]);
		pricing_free(&o->prices[s]);
	}
	free(o->priced);
	free(o->prices);
}

bool
pattern_costs_refine(struct pattern_costs *o, int stage, int pattern)
{
	const struct patterns *c = o->patterns;
	const struct problem *p = c->problem;
	const struct pattern *d = &c->pattern[stage][pattern];
	struct priced *priced = &o->priced[stage][pattern];
	double before = priced->cost, cost;
	int mix[p->chunks];

	if (!priced->open)
		return false;
	/* Multipliers that exact_price() has found for other patterns may suffice to raise the bound. */
	cost = d->floor == NULL ? pricing_bound(&o->prices[stage], d->content) : 0;
	if (cost <= before * (1 + 1e-12)) {
		priced->open = false;
		cost = exact_price(&o->prices[stage], d->content, c->bounds, mix);
	}
	if (cost <= before * (1 + 1e-12))
		return false;
	if (d->floor != NULL && c->bounds == NULL && !contents_front(&p->contents, d->content[0])->thinned)
		*d->floor = problem_mix(p, d->content[0], mix[0])->backward;
	priced->cost = cost;
	return true;
}

void
pattern_costs_setting(const struct pattern_costs *o, int stage, int pattern, int *mix)
{
	const struct patterns *c = o->patterns;
	const struct pattern *d = &c->pattern[stage][pattern];

	if (d->settings == NULL)
		exact_price(&o->prices[stage], d->content, c->bounds, mix);
	else
		for (int v = 0; v < c->problem->chunks; v++)
			mix[v] = d->settings->mix[o->priced[stage][pattern].setting * c->problem->chunks + v];
}
