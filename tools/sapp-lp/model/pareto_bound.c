/* Bounds over all mixes of given layers, computed without their front. */
#include <math.h>
#include <string.h>

#include "pareto.h"
#include "tolerance.h"

/* maximum number of bodies in a content for which all choices of levels are tried */
enum { FLOOR_BODIES = 6 };

/* Return the cost of a layer with a kind of recomputation. */
static double
worth(const struct body *body, int kind, struct rates rates)
{
	return rates.mb * body->activation[kind] + rates.ms * body->backward[kind] +
	    rates.gradient * body->weight_more[kind] + rates.kept * body->kept_more[kind];
}

/* Return the least cost of one layer over the kinds in SET; INFINITY: the body has none of these kinds. */
static double
cheapest(const struct body *body, unsigned set, struct rates rates)
{
	double least = INFINITY;

	for (int k = 0; k < RECOMPUTE_KINDS; k++)
		if (body->has[k] && (set >> k & 1)) {
			double price = worth(body, k, rates);

			least = price < least ? price : least;
		}
	return least;
}

/* Least costs of the bodies so far, by the level of a chain that recomputes the last body, or an earlier level. */
struct least_costs {
	int left;			/* with first_only: number of layers still to be recomputed */
	double sum[CHAINS_MAX][RECOMPUTE_KINDS];
};

/* Return the cost of LAYERS layers of body B in their only mix. */
static double
alike_cost(const struct pareto *f, int b, int layers, struct rates rates, int *left)
{
	const struct body *body = &f->net->body[b];
	int full = body->side != 0 || b >= f->net->first_bodies ? 0 : *left < layers ? *left : layers;

	*left -= full;
	return (layers - full) * worth(body, RECOMPUTE_NONE, rates) + full * worth(body, RECOMPUTE_FULL, rates);
}

/*
 * Add LAYERS layers of body B. The cost is linear in the layers, so in some best mix all layers of a body have one
 * level.
 */
static void
least_add(const struct pareto *f, struct least_costs *c, int b, int layers, struct rates rates)
{
	if (f->net->first_only) {
		c->sum[0][f->levels[0] - 1] += alike_cost(f, b, layers, rates, &c->left);
		return;
	}
	for (int chain = 0; chain < f->chains; chain++)
		for (int s = 0; s < f->levels[chain]; s++) {
			double *sum = &c->sum[chain][s];

			*sum += layers * cheapest(&f->net->body[b], f->net->body[b].side == 0 ? f->level[chain][s] :
			    1u << RECOMPUTE_NONE, rates);
			if (s > 0 && sum[-1] < *sum)
				*sum = sum[-1];
		}
}

static double
least_of(const struct pareto *f, const struct least_costs *c)
{
	double least = c->sum[0][f->levels[0] - 1];

	for (int chain = 1; chain < f->chains && !f->net->first_only; chain++)
		least = fmin(least, c->sum[chain][f->levels[chain] - 1]);
	return least;
}

double
pareto_least(const struct pareto *f, const int *body, struct rates rates)
{
	struct least_costs c = { .left = f->net->first_layers };

	for (int b = 0; b < f->net->nbodies; b++)
		if (body[b] > 0)
			least_add(f, &c, b, body[b], rates);
	return least_of(f, &c);
}

void
pareto_least_runs(const struct pareto *f, const int *kind, int from, int n, struct rates rates, double *least)
{
	struct least_costs before = { .left = f->net->first_layers }, now;

	for (int i = 0, same = 0; i < n; i++) {
		if (i > 0 && kind[i] != kind[i - 1]) {
			least_add(f, &before, kind[i - 1], same, rates);
			same = 0;
		}
		same++;
		if (i < from)
			continue;
		now = before;
		least_add(f, &now, kind[i], same, rates);
		least[i] = least_of(f, &now);
	}
}

/* Return the least cost of all layers, over the kinds in SET[body] for each body. */
static double
cheapest_sum(const struct pareto *f, const int *body, const unsigned *set, struct rates rates)
{
	double sum = 0;

	for (int b = 0; b < f->net->nbodies; b++)
		if (body[b] > 0)
			sum += body[b] * cheapest(&f->net->body[b], set[b], rates);
	return sum;
}

/*
 * Return a lower bound on the backward with activations of at most ROOM, over the kinds in SET[body] for each body.
 * Memory is relaxed by a Lagrange multiplier (Everett 1963). The bound is concave in the multiplier and bends only at
 * values at which another kind becomes the cheapest, so only these values are tried.
 */
static double
relaxed(const struct pareto *f, const int *body, const unsigned *set, double room)
{
	double best = cheapest_sum(f, body, set, (struct rates){ .ms = 1 }), terms = 4 + 4 * f->net->nbodies;
	double lowest = cheapest_sum(f, body, set, (struct rates){ .mb = 1 });

	if (rounded_down(lowest, lowest, terms) > room)
		return INFINITY;
	for (int b = 0; b < f->net->nbodies; b++) {
		const struct body *layer = &f->net->body[b];
		unsigned kinds = set[b];

		for (int k = 0; k < RECOMPUTE_KINDS; k++)
			for (int j = 0; j < RECOMPUTE_KINDS && body[b] > 0; j++) {
				double saved = layer->activation[k] - layer->activation[j];
				double lost = layer->backward[j] - layer->backward[k];

				if (layer->has[k] && layer->has[j] && (kinds >> k & kinds >> j & 1) && saved > 0 &&
				    lost > 0) {
					double per_mb = lost / saved;
					double sum = cheapest_sum(f, body, set,
					    (struct rates){ .mb = per_mb, .ms = 1 });

					/* Kinds that save almost nothing produce large terms that cancel. */
					best = fmax(best, rounded_down(sum - per_mb * room, sum + per_mb * fabs(room),
					    terms));
				}
			}
	}
	return best;
}

/*
 * Return the minimum of relaxed() over all choices of levels of a chain: levels from FROM on, for the bodies from B on.
 * SET has the choices of the bodies before B.
 */
static double
least_from(const struct pareto *f, const int *body, int b, int chain, int from, unsigned *set, double room)
{
	double least = INFINITY;

	if (b == f->net->nbodies)
		return relaxed(f, body, set, room);
	if (body[b] == 0)
		return least_from(f, body, b + 1, chain, from, set, room);
	if (f->net->body[b].side != 0) {
		set[b] = 1u << RECOMPUTE_NONE;
		return least_from(f, body, b + 1, chain, from, set, room);
	}
	set[b] = 0;
	for (int to = from; to < f->levels[chain]; to++) {
		unsigned kinds = set[b] |= f->level[chain][to];

		if (cheapest(&f->net->body[b], kinds, (struct rates){ .ms = 1 }) < INFINITY)
			least = fmin(least, least_from(f, body, b + 1, chain, to, set, room));
		set[b] = kinds;
	}
	return least;
}

/*
 * Return a bound like relaxed(), for all choices of levels together and with few multipliers. It is weaker, but fast
 * with many bodies.
 */
static double
relaxed_together(const struct pareto *f, const int *body, double room)
{
	double best = pareto_least(f, body, (struct rates){ .ms = 1 }), terms = 4 + 4 * f->net->nbodies;
	double least = pareto_least(f, body, (struct rates){ .mb = 1 }), unit = room > 0 ? best / room : 0;

	if (rounded_down(least, least, terms) > room)
		return INFINITY;
	for (double per_mb = unit / 64; per_mb < 8 * unit; per_mb *= 1.5) {
		double sum = pareto_least(f, body, (struct rates){ .mb = per_mb, .ms = 1 });

		best = fmax(best, rounded_down(sum - per_mb * room, sum + per_mb * room, terms));
	}
	return best;
}

static int
bodies_of(const struct pareto *f, const int *body)
{
	int n = 0;

	for (int b = 0; b < f->net->nbodies; b++)
		n += body[b] > 0;
	return n;
}

/*
 * The mixes that lists can express are a union of cases. Each case is given by the levels at which the layers of one
 * body end and those of the next body begin.
 */
double
pareto_floor(const struct pareto *f, const int *body, double room)
{
	unsigned set[f->net->nbodies];
	double least = INFINITY;

	if (f->net->first_only) {
		double activation = pareto_least(f, body, (struct rates){ .mb = 1 });

		return rounded_down(activation, activation, 4 + 4 * f->net->nbodies) > room ? INFINITY :
		    pareto_least(f, body, (struct rates){ .ms = 1 });
	}
	if (bodies_of(f, body) > FLOOR_BODIES)
		return relaxed_together(f, body, room);
	memset(set, 0, sizeof set);
	for (int chain = 0; chain < f->chains; chain++)
		least = fmin(least, least_from(f, body, 0, chain, 0, set, room));
	return least;
}
