#include "labels.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/alloc.h"
#include "lib/base/sorted.h"
#include "completions.h"

enum { LOOKS = 32 };		/* maximum number of labels that a label is compared with */
static const double ROUNDED = 1e-9;	/* maximum relative rounding error of sums of memory */

struct label {			/* choices for the first chunks */
	double cost, reduced, memory;	/* ms, sums of these members over the choices */
	int left;		/* index of the MB left in labels.left */
	int from, item;		/* index of the label of the previous chunk, and of this chunk's choice */
	int layers;
};

struct labels {
	int n[CHUNKS_MAX];
	struct label *at[CHUNKS_MAX];	/* [chunks][n] */
	double *left;			/* [lefts][rows], MB left: before any choice, then by label */
	int lefts;
};

struct labels *
labels_new(const struct knapsack *k)
{
	struct labels *l = xcalloc(1, sizeof *l);

	l->left = xcalloc((size_t)k->nrows, sizeof *l->left);
	memcpy(l->left, k->room, (size_t)k->nrows * sizeof *l->left);
	return l;
}

void
labels_free(struct labels *l)
{
	for (int v = 0; v < CHUNKS_MAX; v++)
		free(l->at[v]);
	free(l->left);
	free(l);
}

static double *
left_of(const struct knapsack *k, int number)
{
	return k->labels->left + (size_t)number * (size_t)k->nrows;
}

ORDER_BY(by_cost, struct label, it->cost, it->from, it->item)

/*
 * Return whether one of the labels CHEAPER[n] dominates a label. A dominating label leaves at least as much memory in
 * every row. It has the same number of layers if layers count. Costs ascend, and the memory left tends to ascend, so
 * only the last labels are compared.
 */
static bool
dominated(const struct knapsack *k, const struct label *l, const struct label *cheaper, int n)
{
	const double *left = left_of(k, l->left);

	for (int i = n; i-- > 0 && i >= n - LOOKS; ) {
		const double *other = left_of(k, cheaper[i].left);
		bool leaves_more = !k->bounded || cheaper[i].layers == l->layers;

		for (int r = 0; r < k->nrows && leaves_more; r++)
			leaves_more = other[r] >= left[r];
		if (leaves_more)
			return true;
	}
	return false;
}

static void
drop_dominated(struct knapsack *k, int chunk)
{
	struct label *l = k->labels->at[chunk];
	int n = 0;

	SORT(l, k->labels->n[chunk], by_cost);
	for (int i = 0; i < k->labels->n[chunk]; i++)
		if (!dominated(k, &l[i], l, n))
			l[n++] = l[i];
	k->labels->n[chunk] = n;
}

/* Compute LEAST[chunks + 1][rows]: the minimum MB of listed choices for chunk n and all later chunks. */
static void
least_memory(const struct knapsack *k, double *least)
{
	memset(&least[k->chunks * k->nrows], 0, (size_t)k->nrows * sizeof *least);
	for (int v = k->chunks; v-- > 0; )
		for (int r = 0; r < k->nrows; r++) {
			double mb = INFINITY;

			for (int i = 0; i < k->items[v]; i++)
				mb = fmin(mb, choice_memory(k, v, r, &k->item[v][i]));
			least[v * k->nrows + r] = mb + least[(v + 1) * k->nrows + r];
		}
}

/*
 * Compute TO[rows], the MB of LEFT[rows] that remain after the choice. Return false if they are below the minimum of
 * the later chunks.
 */
static bool
leaves_enough(const struct knapsack *k, int chunk, const double *left, const struct knapsack_choice *c,
    const double *least,
    double *to)
{
	for (int r = 0; r < k->nrows; r++) {
		to[r] = left[r] - choice_memory(k, chunk, r, c);
		if (to[r] < least[(chunk + 1) * k->nrows + r] * (1 - ROUNDED))
			return false;
	}
	return true;
}

/* Store the memory left by a label extended by a choice. Return false if too little is left. */
static bool
extend(struct knapsack *k, int chunk, const struct label *from, const struct knapsack_choice *c, const double *least)
{
	struct labels *l = k->labels;

	l->left = array_room(l->left, (size_t)l->lefts, (size_t)k->nrows * sizeof *l->left);
	return leaves_enough(k, chunk, left_of(k, from->left), c, least, left_of(k, l->lefts));
}

static void
take_choice(struct knapsack *k, int chunk, const struct knapsack_choice *c)
{
	k->out->content[chunk] = k->part[chunk][c->part].alternative->content;
	k->out->mix[chunk] = c->mix;
}

/* Set k->out to the pattern that ends with LAST, a label of the last chunk. */
static void
take(struct knapsack *k, const struct label *last)
{
	for (int v = k->chunks; v-- > 0; ) {
		take_choice(k, v, &k->item[v][last->item]);
		last = v > 0 ? &k->labels->at[v - 1][last->from] : last;
	}
}

/*
 * Make a first pattern, whose cost is used to prune labels: in each chunk take the choice with the least sum of cost
 * and completion.
 */
static void
dive(struct knapsack *k, const double *least)
{
	double left[2][k->nrows + 1], trial[k->nrows + 1], cost = 0, memory = 0;
	const struct knapsack_choice *chosen[CHUNKS_MAX];
	int layers = 0;

	memcpy(left[0], k->room, (size_t)k->nrows * sizeof **left);
	for (int v = 0; v < k->chunks; v++) {
		double lowest = INFINITY;

		chosen[v] = NULL;
		for (int i = 0; i < k->items[v]; i++) {
			const struct knapsack_choice *c = &k->item[v][i];
			double value = c->cost + completions_least(k->completions, v + 1,
			    layers + k->part[v][c->part].layers, memory + c->memory);

			if (value < lowest && leaves_enough(k, v, left[v % 2], c, least, trial)) {
				lowest = value;
				chosen[v] = c;
				memcpy(left[(v + 1) % 2], trial, sizeof trial);
			}
		}
		if (chosen[v] == NULL)
			return;
		cost += chosen[v]->cost;
		memory += chosen[v]->memory;
		layers += k->part[v][chosen[v]->part].layers;
	}
	if (cost >= k->best || layers < k->total.low || layers > k->total.high)
		return;
	k->best = cost;
	for (int v = 0; v < k->chunks; v++)
		take_choice(k, v, chosen[v]);
}

bool
labels_set(struct knapsack *k)
{
	double least[(k->chunks + 1) * k->nrows];
	struct label none = { 0 }, *before = &none;
	int n = 1;

	k->labels->lefts = 1;
	least_memory(k, least);
	dive(k, least);
	for (int v = 0; v < k->chunks; v++) {
		k->labels->n[v] = 0;
		for (int j = 0; j < n; j++)
			for (int i = 0; i < k->items[v]; i++) {
				const struct knapsack_choice *c = &k->item[v][i];
				const struct label *from = &before[j];
				struct label to = { from->cost + c->cost, from->reduced + c->reduced,
					from->memory + c->memory, k->labels->lefts, j, i,
					from->layers + k->part[v][c->part].layers };
				double value;

				if (to.reduced > fmin(k->within, k->best - k->least)) {
					k->more |= to.reduced > k->within;
					break;
				}
				if (--k->tries < 0)
					return false;
				value = to.cost + completions_least(k->completions, v + 1, to.layers, to.memory);
				if (value >= k->best || value > k->most) {
					k->more |= value > k->most && value < INFINITY;
					continue;
				}
				if (to.layers > k->total.high || !extend(k, v, from, c, least))
					continue;
				if (v < k->chunks - 1) {
					*APPEND(k->labels->at[v], k->labels->n[v]) = to;
					k->labels->lefts++;
				} else if (to.cost < k->best && to.layers >= k->total.low) {
					k->best = to.cost;
					take(k, &to);
				}
			}
		if (v < k->chunks - 1) {
			drop_dominated(k, v);
			before = k->labels->at[v];
			n = k->labels->n[v];
		}
	}
	return true;
}
