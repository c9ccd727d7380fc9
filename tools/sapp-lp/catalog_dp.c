/*
 * Dynamic programming over the stages: the state is how many layers of each body the stages so far
 * have taken.  With one chunk a stage the layers' order is respected exactly, so that their number says it;
 * with several it is only counted, which can make a bound lower but never wrong.
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
	bool runs;		/* a stage takes the next layers, and a state is how many are taken */
	int *count;		/* [n][bodies] */
	int *radix;		/* [bodies]: what one layer of each adds to a state */
};

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

static struct states
states_new(const struct problem *p)
{
	struct states st = { .p = p, .n = (int)catalog_states(p), .nbodies = p->net->nbodies, .runs = p->chunks == 1 };
	int radix = 1;

	st.radix = xcalloc((size_t)st.nbodies, sizeof *st.radix);
	for (int b = 0; b < st.nbodies; b++) {
		st.radix[b] = radix;
		if (!st.runs)
			radix *= p->net->body[b].layers + 1;
	}
	if (st.runs)
		return st;
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

	if (st->runs)
		return mixes_find(&p->mixes, state, d->layers) == d->content[0];
	for (int b = 0; b < st->nbodies; b++) {
		int more = 0;

		for (int v = 0; v < p->chunks; v++)
			more += p->mixes.content[d->content[v]].body[b];
		if (count[b] + more > p->net->body[b].layers)
			return false;
	}
	return true;
}

/* The cheapest dish of a stage for each step it can make. */
struct offer {
	int step, dish, setting;
	double cost;
};

struct offers {
	int *n;			/* [stages] */
	struct offer **offer;	/* [stages] */
	int **run;		/* [stages][contents], where a stage takes runs: 1 + the offer of a content, 0: none */
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
		best += worth[v].backward * chunk[v]->backward;
	}
	room = p->limit[stage] + MEMORY_SLACK - stage_fixed(p, stage, chunk);
	unit = room > 0 ? best / room : 0;
	for (int r = 0; r < rows->n; r++)
		for (double multiplier = unit / 64; multiplier < 8 * unit; multiplier *= 1.5) {
			double sum = -multiplier * room;

			for (int v = 0; v < p->chunks; v++) {
				double memory = multiplier * rows->live[r * p->chunks + v];

				sum += mixes_least(&p->mixes, content[v], memory, worth[v].backward);
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
		struct times t = piece_times(p, v * p->stages + stage, c, problem_mix(p, content[v], mix[v]));

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
	o.run = xcalloc((size_t)p->stages, sizeof *o.run);
	for (int s = 0; s < p->stages; s++) {
		o.offer[s] = xcalloc((size_t)c->n[s], sizeof **o.offer);
		o.cost[s] = xcalloc((size_t)c->n[s], sizeof **o.cost);
		if (st->runs)
			o.run[s] = xcalloc((size_t)p->mixes.ncontents, sizeof **o.run);
		for (int i = 0; i < c->n[s]; i++) {
			int step = dish_step(st, &c->dish[s][i]), setting = 0;
			double cost = o.cost[s][i] = price(c, s, &c->dish[s][i], weight, measure, &setting);
			struct offer *offer;

			if (st->runs) {
				o.offer[s][o.n[s]++] = (struct offer){ step, i, setting, cost };
				o.run[s][c->dish[s][i].content[0]] = o.n[s];
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
		for (int i = 0; i < o.n[s] && !st->runs; i++)
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
		free(o->run[s]);
	}
	free(o->offer);
	free(o->cost);
	free(o->run);
	free(o->n);
}

/* How many numbers offer_at() knows for a stage. */
static int
offers_count(const struct states *st, const struct offers *o, int stage)
{
	return st->runs ? st->p->mixes.most : o->n[stage];
}

/* An offer that the stage may be able to take after STATE, NULL: none of that number. */
static const struct offer *
offer_at(const struct states *st, const struct offers *o, int stage, int state, int number)
{
	int at = number + 1;

	if (st->runs) {
		int content = mixes_find(&st->p->mixes, state, number + 1);

		at = content < 0 ? 0 : o->run[stage][content];
	} else if (state + o->offer[stage][number].step >= st->n)
		at = 0;
	return at > 0 ? &o->offer[stage][at - 1] : NULL;
}

static bool
offer_follows(const struct catalog *c, const struct states *st, int stage, int state, const struct offer *f)
{
	return st->runs || follows(st, state, &c->dish[stage][f->dish]);
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
			for (int i = 0; i < offers_count(st, o, s); i++) {
				const struct offer *f = offer_at(st, o, s, state, i);
				double cost;

				if (f == NULL)
					continue;
				cost = minmax ? fmax(from[state], f->cost) : from[state] + f->cost;
				if (cost < to[state + f->step] && offer_follows(c, st, s, state, f)) {
					to[state + f->step] = cost;
					if (choice != NULL)
						choice[(size_t)(s + 1) * (size_t)st->n + (size_t)(state + f->step)] =
						    (int)(f - o->offer[s]);
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
			    mixes_front(&p->mixes, d->content[v])->n - 1;
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
			for (int i = 0; i < offers_count(st, o, s); i++) {
				const struct offer *f = offer_at(st, o, s, state, i);

				if (f != NULL && f->cost + from[state + f->step] < to[state] &&
				    offer_follows(c, st, s, state, f))
					to[state] = f->cost + from[state + f->step];
			}
	}
	return best;
}

/* LEAST[dishes of the stage]: least sum of all stages with each dish, from the sums BEFORE and AFTER it in every state. */
static void
sum_dishes(const struct catalog *c, const struct states *st, const struct offers *o, int stage, const double *before,
    const double *after, double *least)
{
	for (int i = 0; i < c->n[stage]; i++) {
		int step = dish_step(st, &c->dish[stage][i]);

		least[i] = INFINITY;
		for (int state = 0; state + step < st->n && !st->runs; state++) {
			double sum = before[state] + o->cost[stage][i] + after[state + step];

			if (sum < least[i] && follows(st, state, &c->dish[stage][i]))
				least[i] = sum;
		}
	}
	for (int state = 0; state < st->n && st->runs; state++)
		for (int i = 0; i < offers_count(st, o, stage) && before[state] < INFINITY; i++) {
			const struct offer *f = offer_at(st, o, stage, state, i);

			if (f != NULL)
				least[f->dish] = fmin(least[f->dish], before[state] + f->cost + after[state + f->step]);
		}
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
		double *least = xcalloc((size_t)c->n[s], sizeof *least);
		int kept = 0;

		sum_dishes(c, &st, &o, s, before + (size_t)s * (size_t)st.n, after + (size_t)(s + 1) * (size_t)st.n, least);
		for (int i = 0; i < c->n[s]; i++) {
			if (least[i] + fixed < horizon) {
				c->dish[s][kept++] = c->dish[s][i];
				continue;
			}
			if (!c->borrowed)
				free(c->dish[s][i].content);
			dropped++;
		}
		c->n[s] = kept;
		free(least);
	}
	free(before);
	free(after);
	offers_free(&o, p->stages);
	states_free(&st);
	return dropped;
}
