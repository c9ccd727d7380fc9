/* Completions: dynamic programming from the last chunk to the first. */
#include "completions.h"

#include <math.h>
#include <stdlib.h>

#include "lib/base/alloc.h"
#include "lib/base/each_width.h"

enum { STEPS = 256 };			/* number of steps of the surrogate row's memory */
static const double LEAST_STEP = 1e-7;	/* minimum step, relative to the memory's terms; far above their rounding */
static const double ROUNDED = 1e-6;	/* relative rounding error of memory, below a step */

/* least cost, ms, of a chunk's choices with this number of layers and steps of memory */
struct completion_offer {
	double cost;
	int layers, steps;
};

struct completions {
	const struct knapsack *k;
	double per_mb[CHUNKS_MAX];	/* [chunks], ms per MB of activations */
	double least[CHUNKS_MAX];	/* [chunks], ms, least memory of a chunk's choices */
	/* ms: memory that all choices together may take beyond least[]; memory of one step */
	double room, step;
	int totals;			/* number of distinguished layers placed before a chunk: 0 to totals - 1 */
	bool open;			/* whether the last of these numbers represents all larger numbers */
	/* [chunks + 1][totals][STEPS + 1], ms, least cost by number of layers and remaining steps */
	double *at;
	struct completion_offer *offer;		/* [offers], offers of the current chunk */
	int offers;
};

static int
most_layers(const struct knapsack *k, int chunk)
{
	int most = 0;

	for (int i = 0; i < k->n[chunk]; i++)
		most = k->part[chunk][i].layers > most ? k->part[chunk][i].layers : most;
	return most;
}

static double
fixed_memory(const struct knapsack *k, const struct knapsack_part *part)
{
	double sum = 0;

	for (int r = 0; r < k->nrows; r++)
		sum += k->multiplier[r] * part->alternative->fixed[r];
	return sum;
}

double
completions_memory(const struct completions *c, int chunk, const struct knapsack_part *part, int mix)
{
	return fixed_memory(c->k, part) + c->per_mb[chunk] * part->front->activation[mix] - c->least[chunk];
}

static double *
row_of(const struct completions *c, int chunk, int layers)
{
	return c->at + ((size_t)chunk * (size_t)c->totals + (size_t)layers) * (STEPS + 1);
}

double
completions_least(const struct completions *c, int chunk, int layers, double memory)
{
	double left = (c->room - memory) / c->step + ROUNDED;

	if (left < 0)
		return INFINITY;
	if (layers >= c->totals) {
		if (!c->open)
			return INFINITY;
		layers = c->totals - 1;
	}
	return row_of(c, chunk, layers)[left < STEPS ? (int)left : STEPS];
}

/*
 * Make the offers of a chunk that no other dominates in cost and memory. If numbers of layers count, only offers with
 * equal layers are compared.
 */
static void
make_offers(struct completions *c, int chunk)
{
	const struct knapsack *k = c->k;
	int most = k->bounded ? most_layers(k, chunk) : 0;
	double *best = xcalloc((size_t)(most + 1) * (STEPS + 1), sizeof *best);

	for (int i = 0; i < (most + 1) * (STEPS + 1); i++)
		best[i] = INFINITY;
	for (int i = 0; i < k->n[chunk]; i++) {
		const struct knapsack_part *part = &k->part[chunk][i];
		double *of = best + (k->bounded ? part->layers : 0) * (STEPS + 1);
		double fixed = fixed_memory(k, part) - c->least[chunk];

		for (int m = part->first; m < part->end; m++) {
			double steps = (fixed + c->per_mb[chunk] * part->front->activation[m]) / c->step - ROUNDED;
			double cost = part->cost + k->worth[chunk] * part->front->backward[m];

			if (steps < STEPS + 1) {
				double *to = of + (steps > 0 ? (int)steps : 0);

				*to = cost < *to ? cost : *to;
			}
		}
	}
	c->offers = 0;
	for (int l = 0; l <= most; l++) {
		double least = INFINITY;

		for (int s = 0; s <= STEPS; s++) {
			double cost = best[l * (STEPS + 1) + s];

			if (cost >= least)
				continue;
			least = cost;
			*APPEND(c->offer, c->offers) = (struct completion_offer){ cost, l, s };
		}
	}
	free(best);
}

EACH_WIDTH static void
take_offer(double *restrict to, const double *restrict behind, double cost, int n)
{
	for (int i = 0; i < n; i++) {
		double sum = cost + behind[i];

		to[i] = sum < to[i] ? sum : to[i];
	}
}

static void
fill(struct completions *c, int chunk)
{
	make_offers(c, chunk);
	for (int before = 0; before < c->totals; before++) {
		double *to = row_of(c, chunk, before);

		for (int i = 0; i <= STEPS; i++)
			to[i] = INFINITY;
		for (int i = 0; i < c->offers; i++) {
			int then = before + c->offer[i].layers;

			if (then >= c->totals && !c->open)
				continue;
			then = then < c->totals ? then : c->totals - 1;
			take_offer(to + c->offer[i].steps, row_of(c, chunk + 1, then), c->offer[i].cost,
			    STEPS + 1 - c->offer[i].steps);
		}
	}
}

/*
 * Set the numbers of layers to distinguish: up to the maximum allowed; or up to the minimum, if no pattern exceeds the
 * maximum.
 */
static void
set_totals(struct completions *c)
{
	const struct knapsack *k = c->k;
	int sum = 0;

	for (int v = 0; v < k->chunks; v++)
		sum += most_layers(k, v);
	c->open = !k->bounded || k->total.high >= sum;
	c->totals = 1 + (!k->bounded ? 0 : (int)(c->open ? fmin(ceil(k->total.low), sum + 1) : floor(k->total.high)));
}

struct completions *
completions_new(const struct knapsack *k)
{
	struct completions *c = xcalloc(1, sizeof *c);
	double magnitude = 0;

	c->k = k;
	set_totals(c);
	for (int r = 0; r < k->nrows; r++)
		c->room += k->multiplier[r] * k->room[r];
	magnitude = c->room;
	for (int v = 0; v < k->chunks; v++) {
		c->per_mb[v] = per_mb(k, v, k->multiplier);
		c->least[v] = INFINITY;
		for (int i = 0; i < k->n[v]; i++) {
			const struct knapsack_part *part = &k->part[v][i];

			/* Activations are in descending order. */
			c->least[v] = fmin(c->least[v], fixed_memory(k, part) +
			    c->per_mb[v] * part->front->activation[part->end - 1]);
		}
		c->room -= c->least[v];
		magnitude += fabs(c->least[v]);
	}
	c->step = fmax(c->room / STEPS, LEAST_STEP * magnitude);
	if (!(c->step > 0))
		c->step = 1;
	c->at = xcalloc((size_t)(k->chunks + 1) * (size_t)c->totals * (STEPS + 1), sizeof *c->at);
	for (int l = 0; l < c->totals; l++)
		for (int i = 0; i <= STEPS; i++)
			row_of(c, k->chunks, l)[i] = k->bounded && l < k->total.low ? INFINITY : 0;
	for (int v = k->chunks; v-- > 0; )
		fill(c, v);
	return c;
}

void
completions_free(struct completions *c)
{
	free(c->at);
	free(c->offer);
	free(c);
}
