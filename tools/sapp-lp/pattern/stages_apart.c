/* Stages apart: Lagrangian relaxation of how many layers there are. */
#include "stages_apart.h"

#include <math.h>
#include <stdlib.h>

#include "lib/base/alloc.h"
#include "lib/base/clock.h"
#include "dp_arc.h"

enum { STEPS = 150, STALE = 5 };	/* of the subgradient method; without a better bound, until they get shorter */
static const double FIRST_STEP = 1.5, SHORTER = 0.7;	/* in steps of Polyak (1969) */

/* Layers of a body in a pattern. */
static int
layers_of(const struct problem *p, const struct pattern *d, int body)
{
	int n = 0;

	for (int v = 0; v < p->chunks; v++)
		n += p->contents.content[d->content[v]].body[body];
	return n;
}

/* ms that a pattern costs more than its layers are paid. */
static double
net_cost(const struct arcs *o, int stage, int pattern, const double *price)
{
	const struct problem *p = o->patterns->problem;
	double sum = o->cost[stage][pattern];

	for (int b = 0; b < p->net->nbodies; b++)
		sum -= price[b] * layers_of(p, &o->patterns->pattern[stage][pattern], b);
	return sum;
}

/* The stage's cheapest pattern, -1: it has none; costs that are only bounds are REFINEd where they matter. */
static int
cheapest(struct arcs *o, int stage, const double *price, bool refine, double *cost)
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
	} while (refine && at >= 0 && clock_left(o->patterns->deadline) && pattern_refine(o, stage, at));
	return at;
}

/*
 * The sum of what all stages take, LEFT[bodies] being the layers that they leave over, and what rounding may have added
 * to it taken off.
 */
static double
bound_of(struct arcs *o, const double *price, bool refine, int *chosen, int *left)
{
	const struct problem *p = o->patterns->problem;
	double sum = 0, size = 0, cost;

	for (int b = 0; b < p->net->nbodies; b++) {
		left[b] = p->net->body[b].layers;
		sum += price[b] * left[b];
		size += 2 * fabs(price[b]) * left[b];
	}
	for (int s = 0; s < p->stages; s++) {
		chosen[s] = cheapest(o, s, price, refine, &cost);
		if (chosen[s] < 0)
			return INFINITY;
		sum += cost;
		size += fabs(cost);
		for (int b = 0; b < p->net->nbodies; b++) {
			int layers = layers_of(p, &o->patterns->pattern[s][chosen[s]], b);

			left[b] -= layers;
			size += fabs(price[b]) * layers;
		}
	}
	return proved_bound(p, sum, size, (p->stages + 2.0) * (p->net->nbodies + 2));
}

double
apart_bound(const struct patterns *c, const struct visits *weight, const double *price, struct candidate *out)
{
	const struct problem *p = c->problem;
	struct arcs o = arcs_new(c, weight, NULL);
	int chosen[p->stages], left[p->net->nbodies], mix[p->chunks];
	double sum = bound_of(&o, price, true, chosen, left);

	for (int s = 0; s < p->stages && out != NULL && sum < INFINITY; s++) {
		pattern_setting(&o, s, chosen[s], mix);
		for (int v = 0; v < p->chunks; v++) {
			out->content[v * p->stages + s] = c->pattern[s][chosen[s]].content[v];
			out->mix[v * p->stages + s] = mix[v];
		}
	}
	arcs_free(&o);
	return clock_left(c->deadline) ? sum + weight->delay : -INFINITY;
}

void
apart_find_price(const struct patterns *c, const struct visits *weight, double horizon, double *price)
{
	const struct problem *p = c->problem;
	struct arcs o = arcs_new(c, weight, NULL);
	double best = -INFINITY, step = FIRST_STEP, trial[p->net->nbodies];
	int chosen[p->stages], left[p->net->nbodies], stale = 0;

	for (int b = 0; b < p->net->nbodies; b++) {
		trial[b] = 0;
		for (int i = 0; i < p->pieces; i++)
			trial[b] += times_product(piece_worth(p, i, weight), (struct times){ p->net->body[b].forward,
				p->net->body[b].backward[RECOMPUTE_NONE], 0 }) / p->pieces;
		price[b] = trial[b];
	}
	for (int i = 0; i < STEPS && clock_left(c->deadline); i++) {
		double bound = bound_of(&o, trial, false, chosen, left) + weight->delay, norm = 0;

		for (int b = 0; b < p->net->nbodies; b++) {
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
	arcs_free(&o);
}

long
apart_trim(struct patterns *c, const struct visits *weight, const double *price, double horizon)
{
	const struct problem *p = c->problem;
	struct arcs o = arcs_new(c, weight, NULL);
	int chosen[p->stages], left[p->net->nbodies];
	double all = bound_of(&o, price, false, chosen, left) + weight->delay;
	long dropped = 0;

	for (int s = 0; s < p->stages && all < INFINITY && clock_left(c->deadline); s++) {
		double *more = xcalloc((size_t)c->n[s], sizeof *more);

		for (int i = 0; i < c->n[s]; i++)
			more[i] = net_cost(&o, s, i, price) - net_cost(&o, s, chosen[s], price);
		dropped += patterns_drop(c, s, more, all, horizon);
		free(more);
	}
	arcs_free(&o);
	return dropped;
}
