/* Pricing: Lagrangian bounds and branch and bound over the mixes of a stage's chunks. */
#include "pricing.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/alloc.h"
#include "sapp-lp/heuristic/recompute_greedy.h"
#include "sapp-lp/model/tier.h"
#include "kind_slopes.h"

enum {
	HALVINGS = 12,		/* steps of ternary search for a multiplier */
	PASSES = 1,		/* of that over the multipliers of all rows */
	MULTIPLIERS = 100,	/* sets kept for one stage, at most */
	FEW_NODES = 500,	/* of branch and bound for one price before better multipliers are looked for, */
	NODES = 20000,		/* and after */
};
static const double TIE = 1e-12;	/* visits for each micro-batch, see price_search.tie */

static void
make_room(struct pricing *s, int set, int from)
{
	s->least[set] = xreallocarray(s->least[set], (size_t)s->room, sizeof **s->least);
	for (int i = from; i < s->room; i++)
		s->least[set][i] = NAN;
}

static int
place_of(struct pricing *s, int chunk, int content)
{
	size_t contents = (size_t)s->problem->contents.ncontents;
	int *place;

	if (s->place == NULL)
		s->place = xcalloc((size_t)s->problem->chunks * contents, sizeof *s->place);
	place = &s->place[(size_t)chunk * contents + (size_t)content];
	if (*place == 0)
		*place = ++s->places;
	if (s->places > s->room) {
		s->room = 2 * s->places;
		for (int i = 0; i < s->n; i++)
			make_room(s, i, s->places - 1);
	}
	return *place - 1;
}

static void
add_multiplier(struct pricing *s, const double *multiplier)
{
	size_t rows = (size_t)s->problem->evaluator.rows[s->stage].n;

	if (s->n == MULTIPLIERS)
		return;
	for (int i = 0; i < s->n; i++) {
		bool same = true;

		for (size_t r = 0; r < rows; r++)
			same &= fabs(s->multiplier[i][r] - multiplier[r]) <= 1e-9 * multiplier[r];
		if (same)
			return;
	}
	s->multiplier = xreallocarray(s->multiplier, (size_t)s->n + 1, sizeof *s->multiplier);
	s->least = xreallocarray(s->least, (size_t)s->n + 1, sizeof *s->least);
	s->multiplier[s->n] = xcalloc(rows, sizeof **s->multiplier);
	memcpy(s->multiplier[s->n], multiplier, rows * sizeof *multiplier);
	s->least[s->n] = NULL;
	make_room(s, s->n++, 0);
}

/* Sets with one multiplier that is not zero, where the bound of that row bends for a chunk of that body. */
static void
add_multipliers(struct pricing *s, int row, int chunk, const struct body *body)
{
	const struct problem *p = s->problem;
	const struct rows *rows = &p->evaluator.rows[s->stage];
	int live = rows->live[row * p->chunks + chunk], held = p->holds ? rows->held[row * p->chunks + chunk] : 0;
	double slope[RECOMPUTE_KINDS], worth = s->worth[chunk].backward, multiplier[rows->n], mb[RECOMPUTE_KINDS];

	memset(multiplier, 0, sizeof multiplier);
	memcpy(mb, body->activation, sizeof mb);
	/* Of what waits for W as much as there is of it for each micro-batch of the others. */
	for (int k = 0; k < RECOMPUTE_KINDS && held > 0; k++)
		mb[k] = live > 0 ? mb[k] + body->kept_more[k] * held / live : body->kept_more[k] * held;
	if ((live > 0 || held > 0) && worth > 0)
		for (int i = kind_slopes(body, mb, slope); i-- > 0; ) {
			multiplier[row] = worth * slope[i] / (live > 0 ? live : 1);
			add_multiplier(s, multiplier);
		}
}

struct pricing
pricing_new(const struct problem *p, int stage, const struct visits *weight)
{
	struct pricing s = { .problem = p, .stage = stage, .worth = xcalloc((size_t)p->chunks, sizeof *s.worth),
		.room = 2 * p->chunks };

	for (int v = 0; v < p->chunks; v++)
		s.worth[v] = piece_worth(p, v * p->stages + stage, weight);
	return s;
}

/* The first multipliers, when a price is asked for. */
static void
begin(struct pricing *s)
{
	const struct problem *p = s->problem;

	if (s->begun || (p->chunks == 1 && !p->weighs && !p->holds))
		return;
	s->begun = true;
	for (int r = 0; r < p->evaluator.rows[s->stage].n; r++)
		for (int v = 0; v < p->chunks; v++)
			for (int b = 0; b < p->net->nbodies; b++)
				add_multipliers(s, r, v, stage_body(p, s->stage, b));
}

void
pricing_free(struct pricing *s)
{
	for (int i = 0; i < s->n; i++) {
		free(s->multiplier[i]);
		free(s->least[i]);
	}
	free(s->worth);
	free(s->multiplier);
	free(s->least);
	free(s->place);
	*s = (struct pricing){ 0 };
}

/* The cost of the contents without the backward time of their layers; ROOM[rows]: MB for activations. */
static double
fixed_price(const struct pricing *s, const int *content, double *room)
{
	const struct problem *p = s->problem;
	const struct content *chunk[p->chunks];
	const struct mix none = { 0 };
	double sum = 0;

	for (int v = 0; v < p->chunks; v++) {
		chunk[v] = &p->contents.content[content[v]];
		sum += times_product(s->worth[v], piece_times(p, v * p->stages + s->stage, chunk[v], &none));
	}
	for (int r = 0; r < p->evaluator.rows[s->stage].n; r++)
		room[r] = proof_limit(p, s->stage) - stage_fixed(p, s->stage, chunk) -
		    row_beside(p, s->stage, r, chunk, p->chunks);
	return sum;
}

double
pricing_floor(const struct problem *p, int stage, int content)
{
	const struct rows *rows = &p->evaluator.rows[stage];
	const struct content *c = &p->contents.content[content];
	double room = proof_limit(p, stage) - stage_fixed(p, stage, &c), each = INFINITY, floor = INFINITY;

	for (int r = 0; r < rows->n; r++)
		if (rows->live[r] > 0)
			each = fmin(each, (room - row_beside(p, stage, r, &c, 1)) / rows->live[r]);
	if (each < INFINITY)
		floor = contents_floor(&p->contents, content, each);
	return floor < INFINITY ? floor : c->backward;
}

/*
 * An upper bound on the backward time of a content's mixes. Where neither parts of it nor what waits for W matter, the
 * last one of its front is the slowest.
 */
static double
slowest(const struct problem *p, int content, const struct pareto_front *f)
{
	const struct content *c = &p->contents.content[content];
	double sum = 0;

	if (!p->weighs && !p->holds)
		return f->mix[f->n - 1].backward;
	for (int b = 0; b < p->net->nbodies; b++) {
		const struct body *body = &p->on[c->tier].body[b];
		double most = 0;

		for (int k = 0; k < RECOMPUTE_KINDS; k++)
			if (body->has[k])
				most = fmax(most, fmax(body->backward[k], body->link[k]));
		sum += c->body[b] * most;
	}
	return sum;
}

/* What a MB of a chunk costs, ms: of its activation, and of what it leaves to its W. */
struct prices {
	double activation, kept;
};

/* The least worth of a chunk's content by its visits, and TIE more of backwards. */
static double
least_worth(const struct pricing *s, int chunk, int content, struct prices per_mb, double tie)
{
	struct times worth = s->worth[chunk];

	return contents_least(&s->problem->contents, content, (struct rates){ per_mb.activation, worth.backward + tie,
	    s->problem->weighs ? worth.gradient : 0, per_mb.kept });
}

/* What is subtracted within that, at most: weights' parts that a mean of paths does not visit. */
static double
subtracted(const struct pricing *s, const int *content)
{
	double sum = 0;

	for (int v = 0; v < s->problem->chunks && s->problem->weighs; v++)
		sum += 2 * s->worth[v].backward * slowest(s->problem, content[v], NULL);
	return sum;
}

/* The price of a MB of a chunk: what it takes of each row times the row's multiplier. */
static struct prices
memory_price(const struct pricing *s, const double *multiplier, int chunk)
{
	const struct rows *rows = &s->problem->evaluator.rows[s->stage];
	struct prices sum = { 0 };

	for (int r = 0; r < rows->n; r++)
		sum.activation += multiplier[r] * rows->live[r * s->problem->chunks + chunk];
	for (int r = 0; r < rows->n && s->problem->holds; r++)
		sum.kept += multiplier[r] * rows->held[r * s->problem->chunks + chunk];
	return sum;
}

/* Additions in the least sum of a content's mixes, and of those of all chunks. */
static double
pricing_terms(const struct problem *p)
{
	return p->chunks + (p->holds ? 5.0 : 4.0) * p->net->nbodies * RECOMPUTE_KINDS;
}

/* The same in the price of a chunk's memory. */
static int
price_terms(const struct pricing *s)
{
	return s->problem->evaluator.rows[s->stage].n * (s->problem->holds ? 2 : 1);
}

/* The best bound of all sets of multipliers, without fixed_price(); *AT: that set, -1: all multipliers zero. */
static double
best_bound(struct pricing *s, const int *content, const double *room, int *at)
{
	const struct problem *p = s->problem;
	int rows = p->evaluator.rows[s->stage].n;
	double best = 0, apart = subtracted(s, content);
	int place[p->chunks];

	begin(s);
	for (int v = 0; v < p->chunks && s->n > 0; v++)
		place[v] = place_of(s, v, content[v]);
	*at = -1;
	for (int v = 0; v < p->chunks; v++)
		best += p->weighs ? least_worth(s, v, content[v], (struct prices){ 0 }, 0) :
		    s->worth[v].backward * p->contents.content[content[v]].backward;
	if (p->weighs)
		best = rounded_down(best, best + apart, pricing_terms(p));
	for (int i = 0; i < s->n; i++) {
		double sum = 0, memory = 0;

		for (int r = 0; r < rows; r++)
			memory += s->multiplier[i][r] * room[r];
		for (int v = 0; v < p->chunks; v++) {
			double *least = &s->least[i][place[v]];

			if (isnan(*least))
				*least = least_worth(s, v, content[v], memory_price(s, s->multiplier[i], v), 0);
			sum += *least;
		}
		sum = rounded_down(sum - memory, sum + fabs(memory) + apart, price_terms(s) + pricing_terms(p));
		if (sum > best) {
			best = sum;
			*at = i;
		}
	}
	return best;
}

double
pricing_bound(struct pricing *s, const int *content)
{
	double room[s->problem->evaluator.rows[s->stage].n + 1], fixed = fixed_price(s, content, room);
	int at;

	return fixed + best_bound(s, content, room, &at);
}

struct item {			/* a mix that a chunk may have */
	double reduced;		/* reduced cost: by how much it costs more than the chunk's cheapest, memory paid for */
	double cost;		/* without memory */
	int mix;
};

struct price_search {		/* branch and bound for the contents of one stage */
	const struct pricing *s;
	const struct rows *rows;
	const int *content;
	const struct pareto_front *front[CHUNKS_MAX];
	struct item *item[CHUNKS_MAX];	/* [chunks][n], the least reduced cost first */
	int n[CHUNKS_MAX];
	/* added to all visits, so that times without a visit are not free: no dominated setting is best */
	double tie;
	double *multiplier;	/* [rows], ms per MB */
	double *left;		/* [chunks + 1][rows], MB that the mixes of the chunks before leave */
	double bound, best;	/* lower bound on the cost, cost of the best setting found: without fixed_price() */
	double rounding;	/* in the sum of all chunks' reduced costs, at most */
	int pick[CHUNKS_MAX], *mix;	/* [chunks], of the setting being made, and of the best */
	int nodes, most_nodes;
};

static double
item_price(const struct price_search *g, int chunk, struct prices per_mb, const struct item *i)
{
	const struct mix *m = &g->front[chunk]->mix[i->mix];

	return i->cost + per_mb.activation * m->activation + per_mb.kept * m->kept;
}

/* The Lagrangian's minimum for g->multiplier: a lower bound on the cost, ms. */
static double
relaxed_price(const struct price_search *g)
{
	const struct problem *p = g->s->problem;
	double sum = 0, memory = 0, terms = price_terms(g->s) + pricing_terms(p), apart = subtracted(g->s, g->content);

	for (int r = 0; r < g->rows->n; r++)
		memory += g->multiplier[r] * g->left[r];
	for (int v = 0; v < p->chunks; v++) {
		struct prices per_mb = memory_price(g->s, g->multiplier, v);
		double least = INFINITY;

		if (g->front[v]->thinned)
			least = least_worth(g->s, v, g->content[v], per_mb, g->tie);
		for (int i = 0; i < g->n[v] && !g->front[v]->thinned; i++) {
			double price = item_price(g, v, per_mb, &g->item[v][i]);

			if (price < least)
				least = price;
		}
		sum += least;
	}
	return rounded_down(sum - memory, sum + fabs(memory) + apart, terms);
}

/*
 * Coordinate ascent: each row's multiplier is set to the best with the others as they are, the bound being concave in
 * it.
 */
static void
choose_multipliers(struct price_search *g)
{
	double unit = 0;

	for (int v = 0; v < g->s->problem->chunks; v++)
		unit += g->s->worth[v].backward * slowest(g->s->problem, g->content[v], g->front[v]);
	for (int pass = 0; pass < PASSES && g->bound < INFINITY; pass++)
		for (int r = 0; r < g->rows->n; r++) {
			double old = g->multiplier[r], low = 0, high = g->left[r] > 0 ? 16 * unit / g->left[r] : 0,
			    at = old;

			for (int i = 0; i < HALVINGS; i++) {
				double third = (high - low) / 3, sum[2];

				for (int k = 0; k < 2; k++) {
					g->multiplier[r] = low + (k + 1) * third;
					sum[k] = relaxed_price(g);
					if (sum[k] > g->bound) {
						g->bound = sum[k];
						at = g->multiplier[r];
					}
				}
				if (sum[0] < sum[1])
					low += third;
				else
					high -= third;
			}
			g->multiplier[r] = at;
		}
}

static int
by_reduced(const void *a, const void *b)
{
	const struct item *x = a, *y = b;

	if (x->reduced != y->reduced)
		return x->reduced < y->reduced ? -1 : 1;
	return x->mix - y->mix;
}

/*
 * Where parts of backwards matter, the mixes of a front are many; but with both parts paid for, one that costs no less
 * than another with no more activation is never needed. The items come with activations descending.
 */
static void
prune_items(struct price_search *g, int chunk)
{
	struct item *item = g->item[chunk];
	int n = g->n[chunk], kept = n;
	double least = INFINITY;

	for (int i = n; i-- > 0; )
		if (item[i].cost < least) {
			least = item[i].cost;
			item[--kept] = item[i];
		}
	g->n[chunk] = n - kept;
	memmove(item, item + kept, (size_t)g->n[chunk] * sizeof *item);
}

/* The mixes that the node's bounds allow a chunk. */
static void
list_items(struct price_search *g, int chunk, const struct node_bounds *bounds)
{
	double worth = g->s->worth[chunk].backward + g->tie;
	const struct pareto_front *f = g->front[chunk];

	g->item[chunk] = xcalloc((size_t)f->n, sizeof *g->item[chunk]);
	for (int m = 0; m < f->n; m++)
		if (bounds == NULL || node_allows_times(g->s->problem, bounds, chunk, g->s->stage,
		    f->mix[m].backward, f->mix[m].gradient))
			g->item[chunk][g->n[chunk]++] = (struct item){ 0, worth * f->mix[m].backward +
			    g->s->worth[chunk].gradient * f->mix[m].gradient, m };
	if (g->s->problem->weighs && !g->s->problem->holds)
		prune_items(g, chunk);
}

static void
sort_items(struct price_search *g)
{
	g->rounding = 0;
	for (int v = 0; v < g->s->problem->chunks; v++) {
		struct prices per_mb = memory_price(g->s, g->multiplier, v);
		double least = INFINITY, most = 0;

		for (int i = 0; i < g->n[v]; i++) {
			g->item[v][i].reduced = item_price(g, v, per_mb, &g->item[v][i]);
			least = fmin(least, g->item[v][i].reduced);
			most = fmax(most, g->item[v][i].reduced);
		}
		g->rounding -= rounded_down(0, most, price_terms(g->s));
		for (int i = 0; i < g->n[v]; i++)
			g->item[v][i].reduced -= least;
		qsort(g->item[v], (size_t)g->n[v], sizeof *g->item[v], by_reduced);
	}
}

/* Depth first: mixes of the chunks from CHUNK on. COST: of those before; REDUCED: the sum of their reduced costs. */
static void
pick_mixes(struct price_search *g, int chunk, double cost, double reduced)
{
	const struct problem *p = g->s->problem;
	const double *left = g->left + chunk * g->rows->n;
	double *then = g->left + (chunk + 1) * g->rows->n;

	if (chunk == p->chunks) {
		g->best = cost;
		memcpy(g->mix, g->pick, (size_t)p->chunks * sizeof *g->mix);
		return;
	}
	for (int i = 0; i < g->n[chunk] && g->nodes < g->most_nodes; i++) {
		const struct item *item = &g->item[chunk][i];
		const struct mix *m = &g->front[chunk]->mix[item->mix];
		bool fits = true;

		if (g->bound + reduced + item->reduced - g->rounding >= g->best * (1 - DOMINATED))
			return;
		g->nodes++;
		for (int r = 0; r < g->rows->n; r++) {
			then[r] = left[r] - g->rows->live[r * p->chunks + chunk] * m->activation;
			if (p->holds)
				then[r] -= g->rows->held[r * p->chunks + chunk] * m->kept;
			fits &= then[r] >= 0;
		}
		g->pick[chunk] = item->mix;
		if (fits && cost + item->cost < g->best)
			pick_mixes(g, chunk + 1, cost + item->cost, reduced + item->reduced);
	}
}

static void
pick_all(struct price_search *g, int nodes)
{
	g->nodes = 0;
	g->most_nodes = nodes;
	sort_items(g);
	pick_mixes(g, 0, 0, 0);
}

double
pricing_exact(struct pricing *s, const int *content, const struct node_bounds *bounds, int *mix)
{
	const struct problem *p = s->problem;
	struct price_search g = { .s = s, .rows = &p->evaluator.rows[s->stage], .content = content, .mix = mix,
		.best = INFINITY };
	double multiplier[g.rows->n + 1], left[(p->chunks + 1) * g.rows->n + 1], longest = 0;
	double fixed = fixed_price(s, content, left), value[p->chunks], price, backward[p->chunks];
	double gradient[p->chunks];
	bool whole = true;
	int at;

	memset(multiplier, 0, sizeof multiplier);
	g.multiplier = multiplier;
	g.tie = TIE * p->micro;
	g.left = left;
	for (int v = 0; v < p->chunks; v++) {
		g.front[v] = contents_front(&p->contents, content[v]);
		whole &= !g.front[v]->thinned;
		value[v] = s->worth[v].backward + g.tie;
		longest += slowest(p, content[v], g.front[v]);
		mix[v] = 0;
		list_items(&g, v, bounds);
	}
	if (recompute_from(p, s->stage, content, value, mix)) {
		for (int v = 0; v < p->chunks; v++) {
			backward[v] = g.front[v]->mix[mix[v]].backward;
			gradient[v] = g.front[v]->mix[mix[v]].gradient;
		}
		if (bounds == NULL || node_allows_setting(p, bounds, s->stage, backward, gradient))
			g.best = 0;
		for (int v = 0; v < p->chunks && g.best < INFINITY; v++)
			g.best += value[v] * backward[v] + s->worth[v].gradient * gradient[v];
	}
	best_bound(s, content, left, &at);
	if (at >= 0)
		memcpy(multiplier, s->multiplier[at], (size_t)g.rows->n * sizeof *multiplier);
	g.bound = relaxed_price(&g);
	/* Multipliers that are good for other contents are mostly good enough. */
	if (whole)
		pick_all(&g, FEW_NODES);
	if (!whole || g.nodes >= FEW_NODES) {
		choose_multipliers(&g);
		add_multiplier(s, multiplier);
	}
	if (whole && g.nodes >= FEW_NODES)
		pick_all(&g, NODES);
	price = whole && g.nodes < g.most_nodes ? g.best : fmin(g.bound, g.best);
	for (int v = 0; v < p->chunks; v++)
		free(g.item[v]);
	return fixed + price - g.tie * longest;
}
