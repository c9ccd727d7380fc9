#include "dp_arc.h"

#include <math.h>
#include <stdlib.h>

#include "lib/base/alloc.h"
#include "node_bounds.h"
#include "exact_price.h"
#include "sapp-lp/model/tier.h"
#include "stage_dp.h"

/* The body with the most layers has the rows. */
static void
number_states(struct arcs *o)
{
	const struct network *net = o->patterns->problem->net;
	int radix, most = 0;

	o->states = o->patterns->decoupled ? 0 : (int)stage_dp_states(o->patterns->problem);
	o->radix = xcalloc((size_t)net->nbodies, sizeof *o->radix);
	for (int b = 0; b < net->nbodies; b++) {
		most = net->body[b].layers > net->body[most].layers ? b : most;
		o->radix[b] = 1;
	}
	if (o->runs || o->patterns->decoupled)
		return;
	radix = o->width = net->body[most].layers + 1;
	for (int b = 0; b < net->nbodies; b++)
		if (b != most) {
			o->radix[b] = radix;
			radix *= net->body[b].layers + 1;
		}
	o->taken = xcalloc((size_t)o->states * (size_t)net->nbodies, sizeof *o->taken);
	for (int i = 0; i < o->states; i++)
		for (int b = 0; b < net->nbodies; b++)
			o->taken[i * net->nbodies + b] = i / o->radix[b] % (net->body[b].layers + 1);
}

/* By how much a pattern advances the state; several chunks, -1: it has more layers of a body than there are. */
static int
advance_of(const struct arcs *o, int stage, int pattern)
{
	const struct problem *p = o->patterns->problem;
	const int *content = o->patterns->pattern[stage][pattern].content;
	int advance = 0;

	for (int b = 0; b < p->net->nbodies; b++) {
		int layers = 0;

		for (int v = 0; v < p->chunks; v++)
			layers += p->contents.content[content[v]].body[b];
		/* With more than there are, the sum of radices would be that of other layers. */
		if (layers > p->net->body[b].layers && !o->runs)
			return -1;
		advance += layers * o->radix[b];
	}
	return advance;
}

int
arcs_leave(const struct arcs *o, int row, int advance)
{
	const struct network *net = o->patterns->problem->net;
	const int *taken = &o->taken[row * o->width * net->nbodies], *takes = &o->taken[advance * net->nbodies];

	for (int b = 0; b < net->nbodies; b++)
		if (o->radix[b] > 1 && taken[b] + takes[b] > net->body[b].layers)
			return 0;
	return o->width - advance % o->width;
}

/* The cost of the cheapest setting in a pattern's list that the node's bounds allow, *SETTING. INFINITY: none. */
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

/* A lower bound on the cost of the settings of a pattern without a list. */
static double
unlisted_price(const struct problem *p, int stage, const struct pattern *d, struct pricing *prices)
{
	struct mix mix = { 0 };

	if (d->floor == NULL)
		return pricing_bound(prices, d->content);
	mix.backward = *d->floor;
	return times_product(prices->worth[0], piece_times(p, stage, &p->contents.content[d->content[0]], &mix));
}

/*
 * Add a pattern's arc, or make it that of the arc that leads as far, if cheaper. AT[states]: 1 + the arc of an advance.
 */
static void
add_arc(struct arcs *o, int stage, int pattern, int *at)
{
	struct arc *there;
	struct priced *priced = &o->priced[stage][pattern];
	int advance = priced->advance = advance_of(o, stage, pattern);
	struct arc arc = { .advance = advance, .pattern = pattern, .last = pattern, .cost = priced->cost };

	if (o->runs) {
		o->arc[stage][o->n[stage]++] = arc;
		o->run[stage][o->patterns->pattern[stage][pattern].content[0]] = o->n[stage];
		if (o->n[stage] == 1 || advance < o->shortest[stage])
			o->shortest[stage] = advance;
		if (advance > o->longest[stage])
			o->longest[stage] = advance;
		return;
	}
	if (advance < 0)
		return;
	if (at[advance] == 0) {
		at[advance] = ++o->n[stage];
		priced->same = -1;
		o->arc[stage][at[advance] - 1] = arc;
		return;
	}
	there = &o->arc[stage][at[advance] - 1];
	priced->same = there->last;
	if (arc.cost < there->cost)
		*there = arc;
	else
		there->last = pattern;
}

struct arcs
arcs_new(const struct patterns *c, const struct visits *weight)
{
	const struct problem *p = c->problem;
	struct arcs o = { .patterns = c, .runs = p->chunks == 1 };
	int *at;

	number_states(&o);
	at = xcalloc((size_t)o.states, sizeof *at);
	o.n = xcalloc((size_t)p->stages, sizeof *o.n);
	o.arc = xcalloc((size_t)p->stages, sizeof *o.arc);
	o.run = xcalloc((size_t)p->stages, sizeof *o.run);
	o.shortest = xcalloc((size_t)p->stages, sizeof *o.shortest);
	o.longest = xcalloc((size_t)p->stages, sizeof *o.longest);
	o.priced = xcalloc((size_t)p->stages, sizeof *o.priced);
	o.prices = xcalloc((size_t)p->stages, sizeof *o.prices);
	for (int s = 0; s < p->stages; s++) {
		o.arc[s] = xcalloc((size_t)c->n[s], sizeof **o.arc);
		o.priced[s] = xcalloc((size_t)c->n[s], sizeof **o.priced);
		if (o.runs)
			o.run[s] = xcalloc((size_t)p->contents.ncontents, sizeof **o.run);
		o.prices[s] = pricing_new(p, s, weight);
		for (int i = 0; i < c->n[s]; i++) {
			const struct pattern *d = &c->pattern[s][i];
			struct priced *priced = &o.priced[s][i];

			priced->open = d->settings == NULL;
			priced->cost = priced->open ? unlisted_price(p, s, d, &o.prices[s]) :
			    settings_price(c, s, d, o.prices[s].worth, &priced->setting);
			if (!c->decoupled)
				add_arc(&o, s, i, at);
		}
		for (int i = 0; i < o.n[s]; i++)
			at[o.arc[s][i].advance] = 0;
	}
	free(at);
	return o;
}

void
arcs_free(struct arcs *o)
{
	for (int s = 0; s < o->patterns->problem->stages; s++) {
		free(o->arc[s]);
		free(o->run[s]);
		free(o->priced[s]);
		pricing_free(&o->prices[s]);
	}
	free(o->arc);
	free(o->run);
	free(o->shortest);
	free(o->longest);
	free(o->priced);
	free(o->prices);
	free(o->n);
	free(o->taken);
	free(o->radix);
}

int
arcs_count(const struct arcs *o, int stage)
{
	return o->n[stage] > 0 ? o->longest[stage] - o->shortest[stage] + 1 : 0;
}

const struct arc *
arc_at(const struct arcs *o, int stage, int state, int number)
{
	const struct problem *p = o->patterns->problem;
	int content = contents_find(&p->contents, p->tier[stage], state, o->shortest[stage] + number);
	int at = content < 0 ? 0 : o->run[stage][content];

	return at > 0 ? &o->arc[stage][at - 1] : NULL;
}

bool
pattern_refine(struct arcs *o, int stage, int pattern)
{
	const struct patterns *c = o->patterns;
	const struct problem *p = c->problem;
	const struct pattern *d = &c->pattern[stage][pattern];
	struct priced *priced = &o->priced[stage][pattern];
	double before = priced->cost, cost;
	int mix[p->chunks];

	if (!priced->open)
		return false;
	/*
	 * First by the multipliers that exact_price() found for other patterns: those may be enough to raise the
	 * bound.
	 */
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

bool
arcs_refine(struct arcs *o, int stage, const struct arc *f)
{
	struct arc *now = &o->arc[stage][f - o->arc[stage]];

	if (!pattern_refine(o, stage, f->pattern))
		return false;
	now->cost = o->priced[stage][f->pattern].cost;
	for (int i = now->last; i >= 0 && !o->runs; i = o->priced[stage][i].same)
		if (o->priced[stage][i].cost < now->cost) {
			now->cost = o->priced[stage][i].cost;
			now->pattern = i;
		}
	return true;
}

void
pattern_setting(const struct arcs *o, int stage, int pattern, int *mix)
{
	const struct patterns *c = o->patterns;
	const struct pattern *d = &c->pattern[stage][pattern];

	if (d->settings == NULL)
		exact_price(&o->prices[stage], d->content, c->bounds, mix);
	else
		for (int v = 0; v < c->problem->chunks; v++)
			mix[v] = d->settings->mix[o->priced[stage][pattern].setting * c->problem->chunks + v];
}
