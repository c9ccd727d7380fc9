#include "exact_price.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/alloc.h"
#include "lib/base/sorted.h"
#include "sapp-lp/model/tier.h"
#include "recompute_greedy.h"

enum {
	THIRDS = 12,		/* number of steps of the ternary search for a multiplier */
	FEW_NODES = 500,	/* nodes of branch and bound for one price before better multipliers are computed */
	NODES = 20000,		/* maximum number of nodes after that */
};
static const double TIE = 1e-12;	/* visits per micro-batch: see price_search.tie */

struct price_item {			/* a mix that a chunk may take */
	/* reduced cost: the cost above the cost of the chunk's cheapest mix, both with the price of memory */
	double reduced;
	double cost;		/* cost without the price of memory */
	int mix;
};

struct price_search {		/* branch and bound for the contents of one stage */
	const struct pricing *s;
	const struct rows *rows;
	const int *content;
	const struct pareto_front *front[CHUNKS_MAX];
	struct price_item *item[CHUNKS_MAX];	/* [chunks][n], sorted by reduced cost, least first */
	int n[CHUNKS_MAX];
	/*
	 * visits added to all backwards; without them, unvisited times would be free, and the best setting could be a
	 * dominated one
	 */
	double tie;
	double *multiplier;	/* [rows], ms per MB */
	double *left;		/* [chunks + 1][rows], MB that the mixes of the earlier chunks leave */
	/* lower bound on the cost; cost of the best setting found; both without pricing_fixed() */
	double bound, best;
	double rounding;	/* maximum rounding error of the sum of all chunks' reduced costs */
	int pick[CHUNKS_MAX], *mix;	/* [chunks], mixes of the current setting and of the best setting */
	int nodes, most_nodes;
};

static double
item_price(const struct price_search *g, int chunk, struct prices per_mb, const struct price_item *i)
{
	const struct mix *m = &g->front[chunk]->mix[i->mix];

	return i->cost + per_mb.activation * m->activation + per_mb.kept * m->kept;
}

/* Return the Lagrangian's minimum for g->multiplier, which is a lower bound on the cost, ms. */
static double
relaxed_price(const struct price_search *g)
{
	const struct problem *p = g->s->problem;
	double sum = 0, memory = 0, subtracted = pricing_subtracted(g->s, g->content);

	for (int r = 0; r < g->rows->n; r++)
		memory += g->multiplier[r] * g->left[r];
	for (int v = 0; v < p->chunks; v++) {
		struct prices per_mb = pricing_memory(g->s, g->multiplier, v);
		double least = INFINITY;

		if (g->front[v]->thinned)
			least = pricing_least(g->s, v, g->content[v], per_mb, g->tie);
		for (int i = 0; i < g->n[v] && !g->front[v]->thinned; i++) {
			double price = item_price(g, v, per_mb, &g->item[v][i]);

			if (price < least)
				least = price;
		}
		sum += least;
	}
	return rounded_down(sum - memory, sum + fabs(memory) + subtracted, pricing_terms(g->s));
}

/*
 * Improve the multipliers by coordinate ascent, in one pass over all rows. The bound is concave in the multiplier of
 * each row, so ternary search maximises it.
 */
static void
choose_multipliers(struct price_search *g)
{
	double unit = 0;

	for (int v = 0; v < g->s->problem->chunks; v++)
		unit += g->s->worth[v].backward * pricing_slowest(g->s->problem, g->content[v], g->front[v]);
	for (int r = 0; r < g->rows->n && g->bound < INFINITY; r++) {
		double at = g->multiplier[r], low = 0, high = g->left[r] > 0 ? 16 * unit / g->left[r] : 0;

		for (int i = 0; i < THIRDS; i++) {
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

ORDER_BY(by_reduced, struct price_item, it->reduced, it->mix)

/* List the mixes of a chunk that the node's bounds allow. */
static void
list_items(struct price_search *g, int chunk, const struct node_bounds *bounds)
{
	double worth = g->s->worth[chunk].backward + g->tie;
	const struct pareto_front *f = g->front[chunk];

	g->item[chunk] = xcalloc((size_t)f->n, sizeof *g->item[chunk]);
	for (int m = 0; m < f->n; m++)
		if (bounds == NULL || node_allows_times(g->s->problem, bounds, chunk, g->s->stage,
		    f->mix[m].backward, f->mix[m].gradient))
			g->item[chunk][g->n[chunk]++] = (struct price_item){ 0, worth * f->mix[m].backward +
			    g->s->worth[chunk].gradient * f->mix[m].gradient, m };
}

static void
sort_items(struct price_search *g)
{
	g->rounding = 0;
	for (int v = 0; v < g->s->problem->chunks; v++) {
		struct prices per_mb = pricing_memory(g->s, g->multiplier, v);
		double least = INFINITY, most = 0;

		for (int i = 0; i < g->n[v]; i++) {
			g->item[v][i].reduced = item_price(g, v, per_mb, &g->item[v][i]);
			least = fmin(least, g->item[v][i].reduced);
			most = fmax(most, g->item[v][i].reduced);
		}
		g->rounding -= rounded_down(0, most, pricing_memory_terms(g->s));
		for (int i = 0; i < g->n[v]; i++)
			g->item[v][i].reduced -= least;
		SORT(g->item[v], g->n[v], by_reduced);
	}
}

/*
 * Choose mixes for the chunks from CHUNK on, depth first. COST: cost of the earlier chunks' mixes; REDUCED: sum of
 * their reduced costs.
 */
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
		const struct price_item *item = &g->item[chunk][i];
		const struct mix *m = &g->front[chunk]->mix[item->mix];
		bool fits = true;

		if (g->bound + reduced + item->reduced - g->rounding >= g->best * (1 - DOMINATED))
			return;
		g->nodes++;
		for (int r = 0; r < g->rows->n; r++) {
			then[r] = left[r] - g->rows->live[r * p->chunks + chunk] * m->activation -
			    g->rows->held[r * p->chunks + chunk] * m->kept;
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
exact_price(struct pricing *s, const int *content, const struct node_bounds *bounds, int *mix)
{
	const struct problem *p = s->problem;
	struct price_search g = { .s = s, .rows = &p->evaluator.rows[s->stage], .content = content, .mix = mix,
		.best = INFINITY };
	double multiplier[g.rows->n + 1], left[(p->chunks + 1) * g.rows->n + 1], longest = 0;
	double fixed = pricing_fixed(s, content, left), value[p->chunks], price, backward[p->chunks];
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
		longest += pricing_slowest(p, content[v], g.front[v]);
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
	pricing_best(s, content, left, &at);
	if (at >= 0)
		memcpy(multiplier, s->multiplier[at], (size_t)g.rows->n * sizeof *multiplier);
	g.bound = relaxed_price(&g);
	/* Multipliers found for other contents usually suffice. */
	if (whole)
		pick_all(&g, FEW_NODES);
	if (!whole || g.nodes >= FEW_NODES) {
		choose_multipliers(&g);
		pricing_add(s, multiplier);
	}
	if (whole && g.nodes >= FEW_NODES)
		pick_all(&g, NODES);
	price = whole && g.nodes < g.most_nodes ? g.best : fmin(g.bound, g.best);
	for (int v = 0; v < p->chunks; v++)
		free(g.item[v]);
	return fixed + price - g.tie * longest;
}
