/* Cheapest pattern: multipliers by column generation, then label setting within a width of costs, which grows. */
#include "cheapest.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/alloc.h"
#include "lib/base/sorted.h"
#include "lib/linear/tableau.h"
#include "completions.h"
#include "labels.h"

enum { ROUNDS = 40 };		/* maximum number of rounds of column generation */
static const double UNIT = 16;		/* unit of the programme's costs, relative to k->scale */
static const double CLOSE = 1e-9;	/* reduced costs below this count as 0, in this unit */
static const double LEAST_ROOM = 1;	/* MB, minimum unit of memory */
/* minimum of k->scale relative to k->magnitude, if the weights of all backwards are 0 */
static const double SCALE_LEAST = 1e-6;
/*
 * Width of the costs above the bound in which patterns are searched for, relative to k->magnitude: its first value, and
 * the factor of its growth.
 */
static const double FIRST = 1e-4, WIDER = 3;

/* Return the cost of a part without its mix, ms, including the prices of memory and layers. */
static double
part_cost(const struct knapsack *k, const struct knapsack_part *part, const double *multiplier)
{
	double sum = part->cost + multiplier[k->nrows] * part->layers;

	for (int r = 0; r < k->nrows; r++)
		sum += multiplier[r] * part->alternative->fixed[r];
	return sum;
}

/*
 * Return the least cost of a part's mixes, ms, at a price of memory of MB ms per MB. If all mixes are allowed, the
 * cheapest mix is a corner of the hull.
 */
static double
part_least(const struct knapsack_part *part, double worth, double mb, int *mix)
{
	const struct front *f = part->front;
	double least = INFINITY;
	bool whole = part->end - part->first == f->n;
	int n = whole ? f->corners : part->end - part->first;

	for (int i = 0; i < n; i++) {
		int m = whole ? f->corner[i] : part->first + i;
		double sum = worth * f->backward[m] + mb * f->activation[m];

		if (sum < least) {
			least = sum;
			*mix = m;
		}
	}
	return least;
}

/* Return the cheapest choice of a chunk. Its cost includes the prices of memory and layers. */
static struct knapsack_choice
chunk_least(const struct knapsack *k, int chunk, const double *multiplier)
{
	struct knapsack_choice c = { .reduced = INFINITY };
	double mb = per_mb(k, chunk, multiplier);

	for (int i = 0; i < k->n[chunk]; i++) {
		int mix = 0;
		double sum = part_cost(k, &k->part[chunk][i], multiplier) +
		    part_least(&k->part[chunk][i], k->worth[chunk], mb, &mix);

		if (sum < c.reduced)
			c = (struct knapsack_choice){ .reduced = sum, .part = i, .mix = mix };
	}
	return c;
}

/*
 * Return the value of the Lagrangian, ms, and keep the best value with its multipliers. A positive multiplier of layers
 * belongs to their maximum number, a negative multiplier to their minimum.
 */
static double
relaxed(struct knapsack *k, const double *multiplier, struct knapsack_choice *least)
{
	double sum = 0, each = multiplier[k->nrows], magnitude = 0, other = 0;

	for (int v = 0; v < k->chunks; v++) {
		least[v] = chunk_least(k, v, multiplier);
		sum += least[v].reduced;
		magnitude += fabs(least[v].reduced);
	}
	for (int r = 0; r < k->nrows; r++)
		other += multiplier[r] * k->room[r];
	other += each * (each > 0 ? k->total.high : k->total.low);
	sum = rounded_down(sum - other, magnitude + 2 * fabs(other), 4 * (k->nrows + k->chunks) + 16);
	if (sum > k->bound) {
		k->bound = sum;
		memcpy(k->multiplier, multiplier, ((size_t)k->nrows + 1) * sizeof *multiplier);
	}
	return sum;
}

/*
 * Add a choice as a column. The rows are: each chunk takes one choice (convexity); memory; maximum and minimum number
 * of layers.
 */
static void
add_choice(struct knapsack *k, struct tableau *t, double unit, int chunk, const struct knapsack_choice *c)
{
	double value[CHUNKS_MAX + k->nrows + 2];
	int at = 0;

	for (int v = 0; v < k->chunks; v++)
		value[at++] = v == chunk;
	for (int r = 0; r < k->nrows; r++)
		value[at++] = -choice_memory(k, chunk, r, c) / fmax(k->room[r], LEAST_ROOM);
	for (int sign = -1; k->bounded && sign <= 1; sign += 2)
		value[at++] = sign * k->part[chunk][c->part].layers / fmax(1, k->total.high);
	tableau_add_column(t, choice_cost(k, chunk, c) / unit, value);
}

static void
read_multipliers(const struct knapsack *k, const struct tableau *t, double unit, double *multiplier)
{
	int at = k->chunks;

	for (int r = 0; r < k->nrows; r++)
		multiplier[r] = fmax(0, tableau_dual(t, at++)) * unit / fmax(k->room[r], LEAST_ROOM);
	multiplier[k->nrows] = k->bounded ? (fmax(0, tableau_dual(t, at)) - fmax(0, tableau_dual(t, at + 1))) * unit /
	    fmax(1, k->total.high) : 0;
}

/* Find multipliers by column generation, starting from the previous multipliers. */
static void
find_multipliers(struct knapsack *k)
{
	double unit = UNIT * k->scale, right[CHUNKS_MAX], one[CHUNKS_MAX + 1] = { 1 }, multiplier[k->nrows + 1];
	struct knapsack_choice least[CHUNKS_MAX];
	struct tableau *t;

	for (int v = 0; v < k->chunks; v++)
		right[v] = 1;
	memcpy(multiplier, k->multiplier, sizeof multiplier);
	relaxed(k, multiplier, least);
	t = tableau_new(k->chunks, right);
	for (int r = 0; r < k->nrows; r++)
		tableau_add_row(t, one, -k->room[r] / fmax(k->room[r], LEAST_ROOM));
	if (k->bounded) {
		tableau_add_row(t, one, -k->total.high / fmax(1, k->total.high));
		tableau_add_row(t, one, k->total.low / fmax(1, k->total.high));
	}
	for (int i = 0; i < ROUNDS; i++) {
		double sum;

		for (int v = 0; v < k->chunks; v++)
			add_choice(k, t, unit, v, &least[v]);
		if (!tableau_solve(t, INFINITY))
			break;
		read_multipliers(k, t, unit, multiplier);
		sum = relaxed(k, multiplier, least);
		if (sum >= tableau_value(t) * unit - CLOSE * unit)
			break;
	}
	tableau_free(t);
}

ORDER_BY(by_reduced, struct knapsack_choice, it->reduced, it->part, it->mix)

/*
 * List the choices of a chunk whose reduced costs are at most WITHIN above LEAST, the cheapest. Return false if more
 * choices exist.
 */
static bool
list_items(struct knapsack *k, int chunk, double least, double within)
{
	double mb = per_mb(k, chunk, k->multiplier);
	bool more = false;

	k->items[chunk] = 0;
	for (int i = 0; i < k->n[chunk]; i++) {
		const struct knapsack_part *part = &k->part[chunk][i];
		double cost = part_cost(k, part, k->multiplier) - least;
		int mix;

		if (cost + part_least(part, k->worth[chunk], mb, &mix) > within) {
			more = true;
			continue;
		}
		for (int m = part->first; m < part->end; m++) {
			double reduced = cost + k->worth[chunk] * part->front->backward[m] +
			    mb * part->front->activation[m];

			if (reduced > within) {
				more = true;
				continue;
			}
			*APPEND(k->item[chunk], k->items[chunk]) = (struct knapsack_choice){ fmax(0, reduced),
				part->cost + k->worth[chunk] * part->front->backward[m],
				completions_memory(k->completions, chunk, part, m), i, m };
		}
	}
	SORT(k->item[chunk], k->items[chunk], by_reduced);
	return more;
}

/*
 * Set labels within a growing width, until the best pattern found costs no more than any pattern outside of the width.
 */
static void
search(struct knapsack *k)
{
	struct knapsack_choice least[CHUNKS_MAX];
	double width = FIRST * k->magnitude, proved, root, magnitude = k->magnitude;

	for (int r = 0; r < k->nrows; r++)
		magnitude += k->multiplier[r] * k->room[r];
	k->least = relaxed(k, k->multiplier, least);
	k->best = INFINITY;
	k->tries = k->out->tries;
	k->more = true;
	k->completions = completions_new(k);
	root = proved = fmax(k->least, completions_least(k->completions, 0, 0, 0));
	for (; k->more && k->best > proved && root < INFINITY; width *= WIDER) {
		k->most = root + width;
		k->within = k->most - k->least;
		k->more = false;
		for (int v = 0; v < k->chunks; v++)
			k->more |= list_items(k, v, least[v].reduced, k->within);
		if (!labels_set(k))
			break;
		proved = k->more ? k->most : INFINITY;
	}
	completions_free(k->completions);
	k->out->bound = fmin(k->best, proved);
	if (k->out->bound < INFINITY)
		k->out->bound = rounded_down(k->out->bound, 4 * magnitude, 8 * (k->nrows + k->chunks));
	k->out->cost = k->best;
}

/* Keep only the representative mixes with a backward time in the range. */
static void
restrict_mixes(struct knapsack_part *to, const struct range *backward)
{
	while (to->first < to->end && to->front->slowest[to->first] < backward->low)
		to->first++;
	while (to->first < to->end && to->front->backward[to->end - 1] > backward->high)
		to->end--;
}

/* List the parts of a chunk: its alternatives within the node's bounds B (NULL: all). */
static void
list_parts(struct knapsack *k, const struct alternatives *a, int chunk, const struct node_bounds *b,
    const struct visits *weight, const double *price)
{
	const struct problem *p = k->p;
	int piece = chunk * p->stages + k->stage;
	struct times worth = piece_worth(p, piece, weight);
	const struct mix none = { 0 };
	double slowest = 0, largest = 0;

	k->worth[chunk] = worth.backward;
	k->part[chunk] = xcalloc((size_t)a->n[piece], sizeof *k->part[chunk]);
	for (int i = 0; i < a->n[piece]; i++) {
		const struct alternative *from = &a->alternative[piece][i];
		const struct content *c = &p->contents.content[from->content];
		const struct front *front = &a->front[from->content];
		struct knapsack_part *to = &k->part[chunk][k->n[chunk]];
		double paid = 0;

		*to = (struct knapsack_part){ from, front, 0, front->n, c->layers, 0 };
		if (b != NULL && !node_allows_content(p, b, piece, from->content))
			continue;
		if (b != NULL)
			restrict_mixes(to, &b->backward[piece]);
		if (to->first == to->end)
			continue;
		to->cost = times_product(worth, piece_times(p, piece, c, &none));
		for (int j = 0; j < p->net->nbodies; j++) {
			to->cost -= price[j] * c->body[j];
			paid += fabs(price[j]) * c->body[j];
		}
		largest = fmax(largest, fabs(to->cost) + 2 * paid);
		slowest = fmax(slowest, front->backward[to->end - 1]);
		k->n[chunk]++;
	}
	k->scale += k->worth[chunk] * slowest;
	k->magnitude += largest;
}

void
cheapest_find(struct cheapest *out, const struct alternatives *a, int stage, const struct node_bounds *bounds,
    const struct visits *weight, const double *price, double *multiplier)
{
	const struct problem *p = a->problem;
	struct knapsack k = { .p = p, .rows = &p->evaluator.rows[stage], .stage = stage, .chunks = p->chunks,
		.nrows = p->evaluator.rows[stage].n, .multiplier = multiplier, .bound = -INFINITY, .out = out };
	double room[k.nrows + 1];
	struct range within = bounds != NULL ? bounds->total[stage] : (struct range){ 0, INFINITY };
	bool none = false;

	k.room = room;
	k.total = (struct range){ fmax(0, within.low), fmin(p->net->layers, within.high) };
	k.bounded = k.total.low > 0 || k.total.high < p->net->layers;
	for (int r = 0; r < k.nrows; r++) {
		room[r] = proof_limit(p, stage) - (row_is_other(p, stage, r) ? 0 : stage_ends(p, stage));
		none |= room[r] < 0;
	}
	k.labels = labels_new(&k);
	for (int v = 0; v < k.chunks; v++) {
		list_parts(&k, a, v, bounds, weight, price);
		none |= k.n[v] == 0;
	}
	k.scale = fmax(k.scale, SCALE_LEAST * k.magnitude);
	k.magnitude += k.scale;
	out->bound = out->cost = INFINITY;
	if (!k.bounded)
		multiplier[k.nrows] = 0;
	if (!none) {
		find_multipliers(&k);
		search(&k);
	}
	for (int v = 0; v < k.chunks; v++) {
		free(k.part[v]);
		free(k.item[v]);
	}
	labels_free(k.labels);
}
