/*
 * Dynamic programming over the stages: the state is how many layers of each body the stages so far
 * have taken.  With one chunk a stage the layers' order is respected exactly; with several it is
 * only counted, which can make a bound lower but never wrong.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "box.h"
#include "catalog.h"
#include "fit.h"
#include "lib/alloc.h"

struct states {
	const struct problem *p;
	int n;			/* states; the last one has every layer placed */
	int nbodies;
	int *count;		/* [n][bodies] */
	int *radix;		/* [bodies]: what one layer of each adds to a state */
};

static struct states
states_new(const struct problem *p)
{
	struct states st = { .p = p, .n = 1, .nbodies = p->net->nbodies };

	st.radix = xcalloc((size_t)st.nbodies, sizeof *st.radix);
	for (int b = 0; b < st.nbodies; b++) {
		st.radix[b] = st.n;
		st.n *= p->net->body[b].layers + 1;
	}
	st.count = xcalloc((size_t)st.n * (size_t)st.nbodies, sizeof *st.count);
	for (int i = 0; i < st.n; i++)
		for (int b = 0; b < st.nbodies; b++)
			st.count[i * st.nbodies + b] = i / st.radix[b] % (p->net->body[b].layers + 1);
	return st;
}

static void
states_free(struct states *st)
{
	free(st->count);
	free(st->radix);
}

/* What the dish adds to a state. */
static int
dish_step(const struct states *st, const struct dish *d)
{
	int step = 0;

	for (int v = 0; v < st->p->chunks; v++)
		for (int b = 0; b < st->nbodies; b++)
			step += st->p->mixes.content[d->content[v]].body[b] * st->radix[b];
	return step;
}

/* Can a stage take DISH when the stages before it have taken what STATE says? */
static bool
follows(const struct states *st, int state, const struct dish *d)
{
	const struct problem *p = st->p;
	const int *count = &st->count[state * st->nbodies];
	int first = 0;

	for (int b = 0; b < st->nbodies; b++) {
		int more = 0;

		for (int v = 0; v < p->chunks; v++)
			more += p->mixes.content[d->content[v]].body[b];
		if (count[b] + more > p->net->body[b].layers)
			return false;
		first += count[b];
	}
	return st->nbodies == 1 || p->chunks > 1 || mixes_find(&p->mixes, first, d->layers) == d->content[0];
}

/* The cheapest dish of a stage for each step it can make. */
struct offer {
	int step, dish, setting;
	double cost;
};

struct offers {
	int *n;			/* [stages] */
	struct offer **offer;	/* [stages] */
	double **cost;		/* [stages][dishes] */
};

/*
 * At most what the cheapest setting of contents without a menu costs: memory is relaxed, one of its rows at a time, by
 * a multiplier (Everett 1963), of which several are tried.
 */
static double
bare_price(const struct problem *p, int stage, const int *content, const struct visits *weight)
{
	const struct rows *rows = &p->order.rows[stage];
	const struct content *chunk[p->chunks];
	struct times worth[p->chunks];
	double fixed = 0, room, best = 0, unit;

	for (int v = 0; v < p->chunks; v++) {
		const struct mix none = { 0 };
		int piece = v * p->stages + stage;

		chunk[v] = &p->mixes.content[content[v]];
		worth[v] = piece_worth(p, piece, weight);
		fixed += times_product(worth[v], piece_times(p, piece, chunk[v], &none));
		best += worth[v].backward * chunk[v]->mix[0].backward;
	}
	room = p->limit[stage] + MEMORY_SLACK - stage_fixed(p, stage, chunk);
	unit = room > 0 ? best / room : 0;
	for (int r = 0; r < rows->n; r++)
		for (double multiplier = unit / 64; multiplier < 8 * unit; multiplier *= 1.5) {
			double sum = -multiplier * room;

			for (int v = 0; v < p->chunks; v++) {
				double least = INFINITY, memory = multiplier * rows->live[r * p->chunks + v];

				for (int m = 0; m < chunk[v]->nmixes; m++)
					least = fmin(least, worth[v].backward * chunk[v]->mix[m].backward +
					    memory * chunk[v]->mix[m].activation);
				sum += least;
			}
			best = fmax(best, sum);
		}
	return fixed + best;
}

/* MB by which a stage exceeds its limit, everything recomputed. */
static double
over_limit(const struct problem *p, int stage, const int *content)
{
	return stage_least_memory(p, stage, content) - p->limit[stage];
}

/* ms for which a stage is busy when its chunks are recomputed by equal shares until they fit. */
static double
busy(const struct problem *p, int stage, const int *content)
{
	int mix[p->chunks];
	double sum = 0;

	if (!fit_evenly(p, stage, content, mix))
		return INFINITY;
	for (int v = 0; v < p->chunks; v++) {
		const struct content *c = &p->mixes.content[content[v]];
		struct times t = piece_times(p, v * p->stages + stage, c, &c->mix[mix[v]]);

		sum += t.forward + t.backward;
	}
	return sum;
}

/* Cheapest setting of one dish under WEIGHT; NULL: what MEASURE says of its contents. */
static double
price(const struct catalog *c, int stage, const struct dish *d, const struct visits *weight,
    double (*measure)(const struct problem *, int, const int *), int *setting)
{
	const struct problem *p = c->problem;
	struct times worth[p->chunks];
	double fixed = 0, least = INFINITY;
	const double *row;

	if (d->menu == NULL)
		return weight != NULL ? bare_price(p, stage, d->content, weight) : measure(p, stage, d->content);
	row = d->menu->backward;

	for (int v = 0; v < p->chunks; v++) {
		int piece = v * p->stages + stage;
		const struct mix none = { 0 };
		struct times t = piece_times(p, piece, &p->mixes.content[d->content[v]], &none);

		worth[v] = piece_worth(p, piece, weight);
		fixed += times_product(worth[v], t);
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

static struct offers
offers_new(const struct catalog *c, const struct states *st, const struct visits *weight,
    double (*measure)(const struct problem *, int, const int *))
{
	const struct problem *p = c->problem;
	struct offers o;
	int *at = xcalloc((size_t)st->n, sizeof *at);	/* 1 + the offer that makes this step */

	o.n = xcalloc((size_t)p->stages, sizeof *o.n);
	o.offer = xcalloc((size_t)p->stages, sizeof *o.offer);
	o.cost = xcalloc((size_t)p->stages, sizeof *o.cost);
	for (int s = 0; s < p->stages; s++) {
		o.offer[s] = xcalloc((size_t)c->n[s], sizeof **o.offer);
		o.cost[s] = xcalloc((size_t)c->n[s], sizeof **o.cost);
		for (int i = 0; i < c->n[s]; i++) {
			int step = dish_step(st, &c->dish[s][i]), setting = 0;
			double cost = o.cost[s][i] = price(c, s, &c->dish[s][i], weight, measure, &setting);
			struct offer *offer;

			/* Contents of the same counts in another order of bodies are different steps' business. */
			if (st->nbodies > 1 && p->chunks == 1) {
				o.offer[s][o.n[s]++] = (struct offer){ step, i, setting, cost };
				continue;
			}
			/* More of a kind of layer than there is makes no step, and its number may be that of another one. */
			if (!follows(st, 0, &c->dish[s][i]))
				continue;
			if (at[step] == 0) {
				at[step] = ++o.n[s];
				o.offer[s][at[step] - 1] = (struct offer){ step, i, setting, cost };
			}
			offer = &o.offer[s][at[step] - 1];
			if (cost < offer->cost)
				*offer = (struct offer){ step, i, setting, cost };
		}
		for (int i = 0; i < o.n[s]; i++)
			at[o.offer[s][i].step] = 0;
	}
	free(at);
	return o;
}

static void
offers_free(struct offers *o, int stages)
{
	for (int s = 0; s < stages; s++) {
		free(o->offer[s]);
		free(o->cost[s]);
	}
	free(o->offer);
	free(o->cost);
	free(o->n);
}

/* best[s][state]: least sum (or greatest, with MINMAX: least maximum) of the stages before s. */
static double *
sweep(const struct catalog *c, const struct states *st, const struct offers *o, bool minmax, int *choice)
{
	const struct problem *p = c->problem;
	double *best = xcalloc((size_t)(p->stages + 1) * (size_t)st->n, sizeof *best);

	for (int i = 0; i < (p->stages + 1) * st->n; i++)
		best[i] = INFINITY;
	best[0] = 0;
	for (int s = 0; s < p->stages; s++) {
		const double *from = best + (size_t)s * (size_t)st->n;
		double *to = best + (size_t)(s + 1) * (size_t)st->n;

		for (int state = 0; state < st->n; state++) {
			if (from[state] == INFINITY)
				continue;
			for (int i = 0; i < o->n[s]; i++) {
				const struct offer *f = &o->offer[s][i];
				double cost = minmax ? fmax(from[state], f->cost) : from[state] + f->cost;

				if (state + f->step < st->n && cost < to[state + f->step] &&
				    follows(st, state, &c->dish[s][f->dish])) {
					to[state + f->step] = cost;
					if (choice != NULL)
						choice[(size_t)(s + 1) * (size_t)st->n + (size_t)(state + f->step)] = i;
				}
			}
		}
	}
	return best;
}

static double
solve(const struct catalog *c, const struct visits *weight, double (*measure)(const struct problem *, int, const int *),
    struct candidate *out)
{
	const struct problem *p = c->problem;
	struct states st = states_new(p);
	struct offers o = offers_new(c, &st, weight, measure);
	int *choice = xcalloc((size_t)(p->stages + 1) * (size_t)st.n, sizeof *choice), state = st.n - 1;
	double *best = sweep(c, &st, &o, measure != NULL, choice);
	double least = best[(size_t)p->stages * (size_t)st.n + (size_t)state];

	for (int s = p->stages - 1; s >= 0 && least < INFINITY && out != NULL; s--) {
		const struct offer *f = &o.offer[s][choice[(size_t)(s + 1) * (size_t)st.n + (size_t)state]];
		const struct dish *d = &c->dish[s][f->dish];

		for (int v = 0; v < p->chunks; v++) {
			out->content[v * p->stages + s] = d->content[v];
			out->mix[v * p->stages + s] = d->menu != NULL ? d->menu->mix[f->setting * p->chunks + v] :
			    p->mixes.content[d->content[v]].nmixes - 1;
		}
		state -= f->step;
	}
	free(best);
	free(choice);
	offers_free(&o, p->stages);
	states_free(&st);
	return least;
}

bool
catalog_balance(const struct catalog *c, struct candidate *out)
{
	return solve(c, NULL, busy, out) < INFINITY;
}

double
catalog_excess(const struct catalog *c, struct candidate *out, int *stage)
{
	const struct problem *p = c->problem;
	double excess = solve(c, NULL, over_limit, out);
	int content[p->chunks];

	for (int s = p->stages - 1; s >= 0 && excess < INFINITY; s--) {
		for (int v = 0; v < p->chunks; v++)
			content[v] = out->content[v * p->stages + s];
		if (stage_least_memory(p, s, content) - p->limit[s] >= excess - MEMORY_SLACK)
			*stage = s;
	}
	return excess;
}

double
catalog_bound(const struct catalog *c, const struct visits *weight, struct candidate *out)
{
	return solve(c, weight, NULL, out) + weight->delays * c->problem->comm;
}

/* Least sums of the stages from s on, for each state before them. */
static double *
sweep_back(const struct catalog *c, const struct states *st, const struct offers *o)
{
	const struct problem *p = c->problem;
	double *best = xcalloc((size_t)(p->stages + 1) * (size_t)st->n, sizeof *best);

	for (int i = 0; i < (p->stages + 1) * st->n; i++)
		best[i] = INFINITY;
	best[(size_t)(p->stages + 1) * (size_t)st->n - 1] = 0;
	for (int s = p->stages - 1; s >= 0; s--) {
		double *to = best + (size_t)s * (size_t)st->n;
		const double *from = best + (size_t)(s + 1) * (size_t)st->n;

		for (int state = 0; state < st->n; state++)
			for (int i = 0; i < o->n[s]; i++) {
				const struct offer *f = &o->offer[s][i];

				if (state + f->step < st->n && f->cost + from[state + f->step] < to[state] &&
				    follows(st, state, &c->dish[s][f->dish]))
					to[state] = f->cost + from[state + f->step];
			}
	}
	return best;
}

long
catalog_trim(struct catalog *c, const struct visits *weight, double horizon)
{
	const struct problem *p = c->problem;
	struct states st = states_new(p);
	struct offers o = offers_new(c, &st, weight, NULL);
	double *before = sweep(c, &st, &o, false, NULL), *after = sweep_back(c, &st, &o);
	double fixed = weight->delays * p->comm;
	long dropped = 0;

	for (int s = 0; s < p->stages; s++) {
		int kept = 0;

		for (int i = 0; i < c->n[s]; i++) {
			struct dish *d = &c->dish[s][i];
			int step = dish_step(&st, d);
			double least = INFINITY;

			for (int state = 0; state + step < st.n; state++) {
				double sum = before[(size_t)s * (size_t)st.n + (size_t)state] + o.cost[s][i] +
				    after[(size_t)(s + 1) * (size_t)st.n + (size_t)(state + step)];

				if (sum < least && follows(&st, state, d))
					least = sum;
			}
			if (least + fixed < horizon) {
				c->dish[s][kept++] = *d;
				continue;
			}
			if (!c->borrowed)
				free(d->content);
			dropped++;
		}
		c->n[s] = kept;
	}
	free(before);
	free(after);
	offers_free(&o, p->stages);
	states_free(&st);
	return dropped;
}
