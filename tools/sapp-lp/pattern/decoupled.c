/* Decoupled stages: Lagrangian relaxation of the number of layers. */
#include "decoupled.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/alloc.h"
#include "lib/base/clock.h"
#include "cheapest.h"
#include "pattern_costs.h"

enum {
	/* number of steps of the subgradient method; steps without a better bound after which they become shorter */
	STEPS = 150, STALE = 5,
	TRIES = 100000, TRIES_AT_FIRST = 3000,	/* maximum numbers of labels: see struct cheapest */
};
/* first step length, and factor by which it shrinks; in steps of Polyak (1969) */
static const double FIRST_STEP = 1.5, SHORTER = 0.7;

static int
layers_of(const struct problem *p, const struct pattern *d, int body)
{
	int n = 0;

	for (int v = 0; v < p->chunks; v++)
		n += p->contents.content[d->content[v]].body[body];
	return n;
}

/* Return the reduced cost of a pattern, ms: its cost minus the price of its layers. */
static double
net_cost(const struct pattern_costs *o, int stage, int pattern, const double *price)
{
	const struct problem *p = o->patterns->problem;
	double sum = o->priced[stage][pattern].cost;

	for (int b = 0; b < p->net->nbodies; b++)
		sum -= price[b] * layers_of(p, &o->patterns->pattern[stage][pattern], b);
	return sum;
}

/*
 * Return the index of the stage's cheapest pattern; -1: none. REFINE: compute its exact cost instead of a lower bound.
 */
static int
cheapest(struct pattern_costs *o, int stage, const double *price, bool refine, double *cost)
{
	int at;

	do {
		at = -1;
		*cost = INFINITY;
		for (int i = 0; i < o->patterns->n[stage]; i++) {
			double sum = net_cost(o, stage, i, price);

			if (sum < *cost) {
				*cost = sum;
				at = i;
			}
		}
	} while (refine && at >= 0 && clock_left(o->patterns->deadline) && pattern_costs_refine(o, stage, at));
	return at;
}

struct decoupled_stages {			/* all stages under one mean of paths */
	const struct patterns *c;
	const struct visits *weight;
	struct pattern_costs costs;	/* costs of the listed patterns */
};

static struct decoupled_stages
stages_new(const struct patterns *c, const struct visits *weight)
{
	struct decoupled_stages t = { .c = c, .weight = weight };

	if (c->alternatives == NULL)
		t.costs = pattern_costs_new(c, weight);
	return t;
}

static void
stages_free(struct decoupled_stages *t)
{
	if (t->c->alternatives == NULL)
		pattern_costs_free(&t->costs);
}

/*
 * Get the stage's cheapest pattern in OUT (see decoupled.h). Return its reduced cost, or a lower bound on it; INFINITY:
 * the stage has no pattern. REFINE: compute a tighter bound, and the mixes.
 */
static double
take(struct decoupled_stages *t, int stage, const double *price, bool refine, struct candidate *out)
{
	const struct patterns *c = t->c;
	const struct problem *p = c->problem;
	int content[p->chunks], mix[p->chunks], at;
	struct cheapest found = { .content = content, .mix = mix, .tries = refine ? TRIES : TRIES_AT_FIRST };
	double cost;

	memset(mix, 0, sizeof mix);
	if (c->alternatives != NULL) {
		cheapest_find(&found, c->alternatives, stage, c->bounds, t->weight, price, c->multiplier[stage]);
		cost = found.bound;
	} else {
		at = cheapest(&t->costs, stage, price, refine, &cost);
		found.cost = cost;
		if (at >= 0)
			memcpy(content, c->pattern[stage][at].content, sizeof content);
		if (at >= 0 && refine)
			pattern_costs_setting(&t->costs, stage, at, mix);
	}
	for (int v = 0; v < p->chunks; v++) {
		out->content[v * p->stages + stage] = found.cost < INFINITY ? content[v] : -1;
		out->mix[v * p->stages + stage] = mix[v];
	}
	return cost;
}

/*
 * Return the Lagrangian: the sum over the stages plus the price of all layers, minus rounding. Return INFINITY if no
 * plan exists, or if the time is over.
 */
static double
bound_of(struct decoupled_stages *t, const double *price, bool refine, struct candidate *out)
{
	const struct problem *p = t->c->problem;
	double sum = 0, size = 0;

	for (int b = 0; b < p->net->nbodies; b++) {
		sum += price[b] * p->net->body[b].layers;
		size += 2 * fabs(price[b]) * p->net->body[b].layers;
	}
	for (int s = 0; s < p->stages; s++) {
		double cost = take(t, s, price, refine, out);

		/* A partial sum is not a bound. */
		if (cost == INFINITY || !clock_left(t->c->deadline))
			return INFINITY;
		sum += cost;
		size += fabs(cost);
		for (int v = 0; v < p->chunks && out->content[v * p->stages + s] >= 0; v++)
			for (int b = 0; b < p->net->nbodies; b++)
				size += fabs(price[b]) *
				    p->contents.content[out->content[v * p->stages + s]].body[b];
	}
	return proved_bound(p, sum, size, (p->stages + 2.0) * (p->net->nbodies + 2));
}

/* Return the number of layers of a body that the stages do not place, which is the subgradient. */
static int
left_over(const struct problem *p, const struct candidate *taken, int body)
{
	int left = p->net->body[body].layers;

	for (int i = 0; i < p->pieces; i++)
		left -= taken->content[i] < 0 ? 0 : p->contents.content[taken->content[i]].body[body];
	return left;
}

double
decoupled_bound(const struct patterns *c, const struct visits *weight, const double *price, struct candidate *out)
{
	struct decoupled_stages t = stages_new(c, weight);
	struct candidate taken = candidate_new(c->problem);
	double sum = bound_of(&t, price, true, out != NULL ? out : &taken);

	candidate_free(&taken);
	stages_free(&t);
	return clock_left(c->deadline) ? sum + weight->delay : -INFINITY;
}

void
decoupled_find_price(const struct patterns *c, const struct visits *weight, double horizon, double *price)
{
	const struct problem *p = c->problem;
	struct decoupled_stages t = stages_new(c, weight);
	struct candidate taken = candidate_new(p);
	double best = -INFINITY, step = FIRST_STEP, trial[p->net->nbodies];
	int left[p->net->nbodies], stale = 0;

	for (int b = 0; b < p->net->nbodies; b++) {
		trial[b] = 0;
		for (int i = 0; i < p->pieces; i++)
			trial[b] += times_product(piece_worth(p, i, weight), (struct times){ p->net->body[b].forward,
				p->net->body[b].backward[RECOMPUTE_NONE], 0 }) / p->pieces;
		price[b] = trial[b];
	}
	for (int i = 0; i < STEPS && clock_left(c->deadline); i++) {
		double bound = bound_of(&t, trial, false, &taken) + weight->delay, norm = 0;

		for (int b = 0; b < p->net->nbodies; b++) {
			left[b] = bound < INFINITY ? left_over(p, &taken, b) : 0;
			if (bound > best)
				price[b] = trial[b];
			norm += (double)left[b] * left[b];
		}
		stale = bound > best ? 0 : stale + 1;
		best = fmax(bound, best);
		if (norm == 0 || bound >= horizon)
			break;
		if (stale == STALE) {
			step *= SHORTER;
			stale = 0;
		}
		for (int b = 0; b < p->net->nbodies; b++)
			trial[b] = (stale == 0 ? price[b] : trial[b]) + step * (horizon - bound) / norm * left[b];
	}
	candidate_free(&taken);
	stages_free(&t);
}

void
decoupled_trim(struct patterns *c, const struct visits *weight, const double *price, double horizon)
{
	const struct problem *p = c->problem;
	struct decoupled_stages t;
	struct candidate taken;
	double all;

	if (c->alternatives != NULL)	/* generated patterns are not listed, so none can be dropped */
		return;
	t = stages_new(c, weight);
	taken = candidate_new(p);
	all = bound_of(&t, price, false, &taken) + weight->delay;
	for (int s = 0; s < p->stages && all < INFINITY && clock_left(c->deadline); s++) {
		double *more = xcalloc((size_t)c->n[s], sizeof *more), least;

		cheapest(&t.costs, s, price, false, &least);
		for (int i = 0; i < c->n[s]; i++)
			more[i] = net_cost(&t.costs, s, i, price) - least;
		patterns_drop(c, s, more, all, horizon);
		free(more);
	}
	candidate_free(&taken);
	stages_free(&t);
}
