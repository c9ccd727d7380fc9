#include "dp_arc.h"

#include <math.h>
#include <stdlib.h>

#include "lib/base/alloc.h"
#include "lib/base/sorted.h"
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
	int advance = advance_of(o, stage, pattern);
	struct arc arc = { .advance = advance, .pattern = pattern, .last = pattern, .cost = o->cost[stage][pattern] };

	o->advance[stage][pattern] = advance;

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
		o->same[stage][pattern] = -1;
		o->arc[stage][at[advance] - 1] = arc;
		return;
	}
	there = &o->arc[stage][at[advance] - 1];
	o->same[stage][pattern] = there->last;
	if (arc.cost < there->cost)
		*there = arc;
	else
		there->last = pattern;
}

ORDER_BY(by_rank, struct arc, -it->rank)

/*
 * The arcs of a stage, those that take most of the last body first: of ways that cost the same, the one found first
 * has less of it in the stages before, as in the model's order.
 */
static void
put_in_order(struct arcs *o, int stage)
{
	const struct network *net = o->patterns->problem->net;

	for (int i = 0; i < o->n[stage]; i++) {
		struct arc *f = &o->arc[stage][i];

		f->rank = 0;
		for (int b = net->nbodies - 1; b >= 0; b--)
			f->rank = f->rank * (net->body[b].layers + 1) + o->taken[f->advance * net->nbodies + b];
	}
	SORT(o->arc[stage], o->n[stage], by_rank);
}

struct arcs
arcs_new(const struct patterns *c, const struct visits *weight, pattern_measure *measure)
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
	o.advance = xcalloc((size_t)p->stages, sizeof *o.advance);
	o.same = xcalloc((size_t)p->stages, sizeof *o.same);
	o.cost = xcalloc((size_t)p->stages, sizeof *o.cost);
	o.setting = xcalloc((size_t)p->stages, sizeof *o.setting);
	o.open = xcalloc((size_t)p->stages, sizeof *o.open);
	if (weight != NULL)
		o.prices = xcalloc((size_t)p->stages, sizeof *o.prices);
	for (int s = 0; s < p->stages; s++) {
		o.arc[s] = xcalloc((size_t)c->n[s], sizeof **o.arc);
		o.advance[s] = xcalloc((size_t)c->n[s], sizeof **o.advance);
		if (!o.runs)
			o.same[s] = xcalloc((size_t)c->n[s], sizeof **o.same);
		o.cost[s] = xcalloc((size_t)c->n[s], sizeof **o.cost);
		o.setting[s] = xcalloc((size_t)c->n[s], sizeof **o.setting);
		o.open[s] = xcalloc((size_t)c->n[s], sizeof **o.open);
		if (o.runs)
			o.run[s] = xcalloc((size_t)p->contents.ncontents, sizeof **o.run);
		if (weight != NULL)
			o.prices[s] = pricing_new(p, s, weight);
		for (int i = 0; i < c->n[s]; i++) {
			const struct pattern *d = &c->pattern[s][i];

			o.open[s][i] = d->settings == NULL && weight != NULL;
			o.cost[s][i] = weight == NULL ? measure(p, s, d->content) :
			    d->settings != NULL ? settings_price(c, s, d, o.prices[s].worth, &o.setting[s][i]) :
			    unlisted_price(p, s, d, &o.prices[s]);
			if (!c->decoupled)
				add_arc(&o, s, i, at);
		}
		for (int i = 0; i < o.n[s]; i++)
			at[o.arc[s][i].advance] = 0;
		if (measure != NULL && !o.runs)
			put_in_order(&o, s);
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
		free(o->advance[s]);
		free(o->same[s]);
		free(o->cost[s]);
		free(o->setting[s]);
		free(o->open[s]);
		if (o->prices != NULL)
			pricing_free(&o->prices[s]);
	}
	free(o->arc);
	free(o->run);
	free(o->shortest);
	free(o->longest);
	free(o->advance);
	free(o->same);
	free(o->cost);
	free(o->setting);
	free(o->open);
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
	double before = o->cost[stage][pattern], cost;
	int mix[p->chunks];

	if (!o->open[stage][pattern])
		return false;
	/*
	 * First by the multipliers that exact_price() found for other patterns: those may be enough to raise the
	 * bound.
	 */
	cost = d->floor == NULL ? pricing_bound(&o->prices[stage], d->content) : 0;
	if (cost <= before * (1 + 1e-12)) {
		o->open[stage][pattern] = false;
		cost = exact_price(&o->prices[stage], d->content, c->bounds, mix);
	}
	if (cost <= before * (1 + 1e-12))
		return false;
	if (d->floor != NULL && c->bounds == NULL && !contents_front(&p->contents, d->content[0])->thinned)
		*d->floor = problem_mix(p, d->content[0], mix[0])->backward;
	o->cost[stage][pattern] = cost;
	return true;
}

bool
arcs_refine(struct arcs *o, int stage, const struct arc *f)
{
	struct arc *now = &o->arc[stage][f - o->arc[stage]];

	if (!pattern_refine(o, stage, f->pattern))
		return false;
	now->cost = o->cost[stage][f->pattern];
	for (int i = now->last; i >= 0 && !o->runs; i = o->same[stage][i])
		if (o->cost[stage][i] < now->cost) {
			now->cost = o->cost[stage][i];
			now->pattern = i;
		}
	return true;
}

void
pattern_setting(const struct arcs *o, int stage, int pattern, int *mix)
{
	const struct patterns *c = o->patterns;
	const struct pattern *d = &c->pattern[stage][pattern];

	if (d->settings == NULL && o->prices != NULL)
		exact_price(&o->prices[stage], d->content, c->bounds, mix);
	else if (d->settings == NULL)
		stage_least_mixes(c->problem, stage, d->content, mix);
	else
		for (int v = 0; v < c->problem->chunks; v++)
			mix[v] = d->settings->mix[o->setting[stage][pattern] * c->problem->chunks + v];
}
