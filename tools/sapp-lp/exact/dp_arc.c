/* Offers of the stages for dynamic programming. */
#include "dp_arc.h"

#include <math.h>
#include <stdlib.h>

#include "node_bounds.h"
#include "lib/base/alloc.h"
#include "pricing.h"

double
catalog_states(const struct problem *p)
{
	double n = 1;

	if (p->chunks == 1)
		return p->net->layers + 1;
	for (int b = 0; b < p->net->nbodies; b++)
		n *= p->net->body[b].layers + 1;
	return n;
}

static void
number_states(struct offers *o)
{
	const struct network *net = o->catalog->problem->net;
	int radix = 1;

	o->states = (int)catalog_states(o->catalog->problem);
	o->radix = xcalloc((size_t)net->nbodies, sizeof *o->radix);
	for (int b = 0; b < net->nbodies; b++) {
		o->radix[b] = radix;
		if (!o->runs)
			radix *= net->body[b].layers + 1;
	}
	if (o->runs)
		return;
	o->taken = xcalloc((size_t)o->states * (size_t)net->nbodies, sizeof *o->taken);
	for (int i = 0; i < o->states; i++)
		for (int b = 0; b < net->nbodies; b++)
			o->taken[i * net->nbodies + b] = i / o->radix[b] % (net->body[b].layers + 1);
}

int
offers_step(const struct offers *o, int stage, int dish)
{
	const struct problem *p = o->catalog->problem;
	int step = 0;

	for (int v = 0; v < p->chunks; v++)
		for (int b = 0; b < p->net->nbodies; b++)
			step += p->mixes.content[o->catalog->dish[stage][dish].content[v]].body[b] * o->radix[b];
	return step;
}

bool
offers_dish_follows(const struct offers *o, int stage, int state, int dish)
{
	const struct problem *p = o->catalog->problem;
	const struct dish *d = &o->catalog->dish[stage][dish];

	if (o->runs)
		return mixes_find(&p->mixes, state, d->layers) == d->content[0];
	for (int b = 0; b < p->net->nbodies; b++) {
		int sum = o->taken[state * p->net->nbodies + b];

		for (int v = 0; v < p->chunks; v++)
			sum += p->mixes.content[d->content[v]].body[b];
		if (sum > p->net->body[b].layers)
			return false;
	}
	return true;
}

/* Cheapest setting of a dish's menu. */
static double
menu_price(const struct catalog *c, int stage, const struct dish *d, const struct times *worth, int *setting)
{
	const struct problem *p = c->problem;
	double fixed = 0, least = INFINITY;
	const double *row = d->menu->backward;

	for (int v = 0; v < p->chunks; v++) {
		const struct mix none = { 0 };

		fixed += times_product(worth[v], piece_times(p, v * p->stages + stage, &p->mixes.content[d->content[v]], &none));
	}
	for (int i = 0; i < d->menu->n; i++, row += p->chunks) {
		double sum = fixed;

		if (c->box != NULL && !box_has_setting(p, c->box, stage, row))
			continue;
		for (int v = 0; v < p->chunks; v++)
			sum += worth[v].backward * row[v];
		if (sum < least) {
			least = sum;
			*setting = i;
		}
	}
	return least;
}

/* At most what the cheapest setting of a dish without a menu costs. */
static double
bare_price(const struct problem *p, int stage, const struct dish *d, struct prices *prices)
{
	struct mix mix = { 0 };

	if (d->floor == NULL)
		return prices_bound(prices, d->content);
	mix.backward = *d->floor;
	return times_product(prices->worth[0], piece_times(p, stage, &p->mixes.content[d->content[0]], &mix));
}

/* Put a dish forward for its step; AT[states]: 1 + the offer that makes a step so far. */
static void
offer_dish(struct offers *o, int stage, int dish, int *at)
{
	int step = offers_step(o, stage, dish);
	struct offer offer = { step, dish, o->cost[stage][dish] };

	if (o->runs) {
		o->offer[stage][o->n[stage]++] = offer;
		o->run[stage][o->catalog->dish[stage][dish].content[0]] = o->n[stage];
		if (o->n[stage] == 1 || step < o->shortest[stage])
			o->shortest[stage] = step;
		if (step > o->longest[stage])
			o->longest[stage] = step;
		return;
	}
	/* More of a kind of layer than there is makes no step, and its number may be that of another one. */
	if (!offers_dish_follows(o, stage, 0, dish))
		return;
	if (at[step] == 0) {
		at[step] = ++o->n[stage];
		o->offer[stage][at[step] - 1] = offer;
	} else if (offer.cost < o->offer[stage][at[step] - 1].cost)
		o->offer[stage][at[step] - 1] = offer;
}

struct offers
offers_new(const struct catalog *c, const struct visits *weight, dish_measure *measure)
{
	const struct problem *p = c->problem;
	struct offers o = { .catalog = c, .runs = p->chunks == 1 };
	int *at;

	number_states(&o);
	at = xcalloc((size_t)o.states, sizeof *at);
	o.n = xcalloc((size_t)p->stages, sizeof *o.n);
	o.offer = xcalloc((size_t)p->stages, sizeof *o.offer);
	o.run = xcalloc((size_t)p->stages, sizeof *o.run);
	o.shortest = xcalloc((size_t)p->stages, sizeof *o.shortest);
	o.longest = xcalloc((size_t)p->stages, sizeof *o.longest);
	o.cost = xcalloc((size_t)p->stages, sizeof *o.cost);
	o.setting = xcalloc((size_t)p->stages, sizeof *o.setting);
	o.open = xcalloc((size_t)p->stages, sizeof *o.open);
	if (weight != NULL)
		o.prices = xcalloc((size_t)p->stages, sizeof *o.prices);
	for (int s = 0; s < p->stages; s++) {
		o.offer[s] = xcalloc((size_t)c->n[s], sizeof **o.offer);
		o.cost[s] = xcalloc((size_t)c->n[s], sizeof **o.cost);
		o.setting[s] = xcalloc((size_t)c->n[s], sizeof **o.setting);
		o.open[s] = xcalloc((size_t)c->n[s], sizeof **o.open);
		if (o.runs)
			o.run[s] = xcalloc((size_t)p->mixes.ncontents, sizeof **o.run);
		if (weight != NULL)
			o.prices[s] = prices_new(p, s, weight);
		for (int i = 0; i < c->n[s]; i++) {
			const struct dish *d = &c->dish[s][i];

			o.open[s][i] = d->menu == NULL && weight != NULL;
			o.cost[s][i] = weight == NULL ? measure(p, s, d->content) :
			    d->menu != NULL ? menu_price(c, s, d, o.prices[s].worth, &o.setting[s][i]) : bare_price(p, s, d, &o.prices[s]);
			offer_dish(&o, s, i, at);
		}
		for (int i = 0; i < o.n[s]; i++)
			at[o.offer[s][i].step] = 0;
	}
	free(at);
	return o;
}

void
offers_free(struct offers *o)
{
	for (int s = 0; s < o->catalog->problem->stages; s++) {
		free(o->offer[s]);
		free(o->run[s]);
		free(o->cost[s]);
		free(o->setting[s]);
		free(o->open[s]);
		if (o->prices != NULL)
			prices_free(&o->prices[s]);
	}
	free(o->offer);
	free(o->run);
	free(o->shortest);
	free(o->longest);
	free(o->cost);
	free(o->setting);
	free(o->open);
	free(o->prices);
	free(o->n);
	free(o->taken);
	free(o->radix);
}

int
offers_count(const struct offers *o, int stage)
{
	return o->runs && o->n[stage] > 0 ? o->longest[stage] - o->shortest[stage] + 1 : o->n[stage];
}

const struct offer *
offer_at(const struct offers *o, int stage, int state, int number)
{
	int at = number + 1;

	if (o->runs) {
		int content = mixes_find(&o->catalog->problem->mixes, state, o->shortest[stage] + number);

		at = content < 0 ? 0 : o->run[stage][content];
	} else if (state + o->offer[stage][number].step >= o->states)
		at = 0;
	return at > 0 ? &o->offer[stage][at - 1] : NULL;
}

bool
offer_follows(const struct offers *o, int stage, int state, const struct offer *f)
{
	return o->runs || offers_dish_follows(o, stage, state, f->dish);
}

bool
offers_refine(struct offers *o, int stage, const struct offer *f)
{
	const struct catalog *c = o->catalog;
	const struct problem *p = c->problem;
	const struct dish *d = &c->dish[stage][f->dish];
	struct offer *now = &o->offer[stage][f - o->offer[stage]];
	double before = f->cost, cost;
	int mix[p->chunks];

	if (!o->open[stage][f->dish])
		return false;
	/* What was found out about other dishes may be enough to see that this one costs more. */
	cost = d->floor == NULL ? prices_bound(&o->prices[stage], d->content) : 0;
	if (cost <= before * (1 + 1e-12)) {
		o->open[stage][f->dish] = false;
		cost = prices_exact(&o->prices[stage], d->content, c->box, mix);
	}
	if (cost <= before * (1 + 1e-12))
		return false;
	if (d->floor != NULL && c->box == NULL && !mixes_front(&p->mixes, d->content[0])->thinned)
		*d->floor = problem_mix(p, d->content[0], mix[0])->backward;
	now->cost = o->cost[stage][f->dish] = cost;
	for (int i = 0; i < c->n[stage] && !o->runs; i++)
		if (o->cost[stage][i] < now->cost && offers_step(o, stage, i) == now->step &&
		    offers_dish_follows(o, stage, 0, i)) {
			now->cost = o->cost[stage][i];
			now->dish = i;
		}
	return true;
}

void
offers_setting(const struct offers *o, int stage, const struct offer *f, int *mix)
{
	const struct catalog *c = o->catalog;
	const struct dish *d = &c->dish[stage][f->dish];

	if (d->menu == NULL && o->prices != NULL)
		prices_exact(&o->prices[stage], d->content, c->box, mix);
	else
		for (int v = 0; v < c->problem->chunks; v++)
			mix[v] = d->menu != NULL ? d->menu->mix[o->setting[stage][f->dish] * c->problem->chunks + v] :
			    mixes_front(&c->problem->mixes, d->content[v])->n - 1;
}
