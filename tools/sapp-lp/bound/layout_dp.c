/* Layout DP: states, edges and dropped edges; the cheapest layout, and the mean of all layouts. */
#include "layout_dp.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/alloc.h"
#include "lib/base/each_width.h"
#include "lp_model.h"

enum {
	STATES_MAX = 1 << 22,
	EDGES_MAX = 1 << 23,
	SQUARINGS = 8,		/* number of squarings in soft_weights() */
	NARROWINGS = 4,		/* number of rounds of narrowing */
};
static const double ROUNDED = 1e-9;	/* relative slack for the rounding of times and memory when edges are dropped */

bool
layout_dp_can(const struct problem *p)
{
	return ((double)p->pieces + 1) * ((double)p->net->layers + 1) <= STATES_MAX;
}

struct layout_dp
layout_dp_new(const struct problem *p)
{
	size_t n = (size_t)p->pieces + 1, states = n * ((size_t)p->net->layers + 1);
	struct layout_dp d = { .p = p };
	int at = 0;

	d.body = xcalloc((size_t)p->net->layers, sizeof *d.body);
	for (int b = 0; b < p->net->nbodies; b++)
		for (int i = 0; i < p->net->body[b].layers; i++)
			d.body[at++] = b;
	d.low = xcalloc(n, sizeof *d.low);
	d.high = xcalloc(n, sizeof *d.high);
	d.left = xcalloc(states, sizeof *d.left);
	d.edge = xcalloc(states, sizeof *d.edge);
	d.queue = xcalloc(n + (size_t)p->net->layers, sizeof *d.queue);
	d.cost = xcalloc(states, sizeof *d.cost);
	d.above = xcalloc(states + LANES, sizeof *d.above);
	d.beyond = xcalloc(states + LANES, sizeof *d.beyond);
	d.sum = xcalloc((size_t)p->net->layers + 1, sizeof *d.sum);
	d.worth = xcalloc((size_t)p->net->layers + 1 + LANES, sizeof *d.worth);
	return d;
}

void
layout_dp_free(struct layout_dp *d)
{
	free(d->body);
	free(d->low);
	free(d->high);
	free(d->left);
	free(d->edge);
	free(d->weight);
	free(d->queue);
	free(d->cost);
	free(d->above);
	free(d->beyond);
	free(d->sum);
	free(d->worth);
}

/*
 * Raise left[] so that piece N holds only runs of layers whose sum is at most ROOM. SUM[layers + 1]: cumulative sum
 * over the layers.
 */
static void
keep_within(struct layout_dp *d, int n, const double *sum, double room)
{
	int layers = d->p->net->layers, *left = &d->left[n * (layers + 1)], at = 0;
	double most = room + ROUNDED * (fabs(room) + fabs(sum[layers]));

	for (int j = 0; j <= layers; j++) {
		while (at < j && sum[j] - sum[at] > most)
			at++;
		if (at > left[j])
			left[j] = at;
	}
}

static void
sum_layers(const struct layout_dp *d, const double *of, double *sum)
{
	sum[0] = 0;
	for (int j = 0; j < d->p->net->layers; j++)
		sum[j + 1] = sum[j] + of[d->body[j]];
}

/*
 * Return the least sum of OF[bodies] over the possible contents of a piece. The least content is the minimum number of
 * layers of the allowed bodies.
 */
static double
least_held(const struct layout_dp *d, int piece, const double *of)
{
	int n = d->p->position[piece], fewest = d->p->fewest[piece], sure = d->low[n + 1] - d->high[n];
	double least = INFINITY;

	/* The piece can hold no layer. */
	if (d->low[n] >= d->high[n + 1])
		return 0;
	for (int b = d->body[d->low[n]]; b <= d->body[d->high[n + 1] - 1]; b++)
		least = fmin(least, of[b]);
	return least * (sure > fewest ? sure : fewest);
}

/* Limit the contents of piece N by time and memory, with the minimum in each other chunk of its stage. */
static void
narrow_piece(struct layout_dp *d, int n, double horizon)
{
	const struct problem *p = d->p;
	int piece = p->piece[n], stage = piece % p->stages;
	double *of = xcalloc((size_t)p->net->nbodies, sizeof *of);
	double room = horizon / (p->micro * p->pace[stage] * p->together);

	for (int b = 0; b < p->net->nbodies; b++)
		of[b] = p->net->body[b].forward + body_least_backward(&p->net->body[b]);
	for (int i = stage; i < p->pieces; i += p->stages)
		room -= end_times(p, i).forward + end_times(p, i).backward + (i != piece ? least_held(d, i, of) : 0);
	sum_layers(d, of, d->sum);
	keep_within(d, n, d->sum, room);
	for (int r = 0; r < p->evaluator.rows[stage].n; r++) {
		room = memory_room(p, stage, r);
		for (int w = 1; w <= p->chunks; w++) {		/* the chunk of piece N comes last */
			int v = (piece / p->stages + w) % p->chunks;

			for (int b = 0; b < p->net->nbodies; b++)
				of[b] = row_least(p, stage, r, v, b);
			room -= w < p->chunks ? least_held(d, v * p->stages + stage, of) : 0;
		}
		sum_layers(d, of, d->sum);
		keep_within(d, n, d->sum, room);
	}
	free(of);
}

/* Compute low[] and high[], the states reachable from both ends. Return false if no layout is left. */
static bool
reach(struct layout_dp *d)
{
	int n = d->p->pieces, layers = d->p->net->layers;

	d->low[0] = d->high[0] = 0;
	for (int i = 0; i < n; i++) {
		const int *left = &d->left[i * (layers + 1)];
		int fewest = d->p->fewest[d->p->piece[i]], high = d->low[i] + fewest;

		while (high < layers && left[high + 1] <= d->high[i])
			high++;
		d->low[i + 1] = i < n - 1 || d->low[i] + fewest > layers ? d->low[i] + fewest : layers;
		d->high[i + 1] = high;
		if (d->low[i + 1] > d->high[i + 1])
			return false;
	}
	for (int i = n; i-- > 0; ) {
		int low = d->left[i * (layers + 1) + d->low[i + 1]];
		int high = d->high[i + 1] - d->p->fewest[d->p->piece[i]];

		d->low[i] = low > d->low[i] ? low : d->low[i];
		d->high[i] = d->high[i] < high ? d->high[i] : high;
		if (d->low[i] > d->high[i])
			return false;
	}
	return true;
}

/* Allow all layers in all pieces, up to the maximum number of layers of a content. */
static void
allow_all(struct layout_dp *d)
{
	const struct problem *p = d->p;
	int layers = p->net->layers, most = p->contents.most;

	for (int n = 0; n <= p->pieces; n++) {
		d->low[n] = n < p->pieces ? 0 : layers;
		d->high[n] = n > 0 ? layers : 0;
	}
	for (int n = 0; n < p->pieces; n++)
		for (int j = 0; j <= layers; j++)
			d->left[n * (layers + 1) + j] = j > most ? j - most : 0;
}

bool
layout_dp_narrow(struct layout_dp *d, double horizon)
{
	const struct problem *p = d->p;
	int layers = p->net->layers;

	allow_all(d);
	/*
	 * The ranges of pieces determine the minimum in the other pieces of their stages. So a narrower range may
	 * narrow other ranges.
	 */
	for (int round = 0; round < NARROWINGS; round++) {
		for (int n = 0; n < p->pieces; n++)
			narrow_piece(d, n, horizon);
		d->none = !reach(d);
		if (d->none)
			return false;
	}
	d->edges = 0;
	for (int n = 0; n < p->pieces; n++)
		for (int j = d->low[n + 1]; j <= d->high[n + 1]; j++) {
			int *left = &d->left[n * (layers + 1) + j];

			*left = *left > d->low[n] ? *left : d->low[n];
			d->edge[n * (layers + 1) + j] = d->edges;
			d->edges += (size_t)((j + 1 - *left + LANES - 1) / LANES * LANES);
		}
	if (d->edges > EDGES_MAX)
		return false;
	free(d->weight);
	d->weight = xcalloc(d->edges, sizeof *d->weight);
	return true;
}

/* Return the maximum number of layers before piece N if J layers are placed after piece N. */
static int
right_of(const struct layout_dp *d, int n, int j)
{
	int right = j - d->p->fewest[d->p->piece[n]];

	return right < d->high[n] ? right : d->high[n];
}

/*
 * Compute worth[] of the states before piece N: the cost of a state, minus the price that the placed layers would have
 * in piece N.
 */
static void
weigh_states(struct layout_dp *d, int n, const double *price)
{
	const double *cost = &d->cost[n * (d->p->net->layers + 1)];

	sum_layers(d, &price[n * d->p->net->nbodies], d->sum);
	for (int j = d->low[n]; j <= d->high[n]; j++)
		d->worth[j] = cost[j] - d->sum[j];
}

/*
 * A window of states whose ends only move forward; it gives the least worth[] in the window (monotone queue). INFINITY:
 * the window is empty.
 */
struct dp_window {
	int *queue;	/* states whose worth is below the worth of every later state */
	int head, tail, next;
};

static inline double
window_least(struct dp_window *w, const double *worth, int left, int right)
{
	for (; w->next <= right; w->next++) {
		while (w->tail > w->head && worth[w->queue[w->tail - 1]] >= worth[w->next])
			w->tail--;
		w->queue[w->tail++] = w->next;
	}
	while (w->head < w->tail && w->queue[w->head] < left)
		w->head++;
	return w->head < w->tail ? worth[w->queue[w->head]] : INFINITY;
}

double
layout_dp_least(struct layout_dp *d, const double *price)
{
	int width = d->p->net->layers + 1;

	d->cost[0] = 0;
	for (int n = 0; n < d->p->pieces; n++) {
		struct dp_window w = { .queue = d->queue, .next = d->low[n] };

		weigh_states(d, n, price);
		for (int j = d->low[n + 1]; j <= d->high[n + 1]; j++)
			d->cost[(n + 1) * width + j] = d->sum[j] +
			    window_least(&w, d->worth, d->left[n * width + j], right_of(d, n, j));
	}
	return d->cost[d->p->pieces * width + width - 1];
}

/*
 * Compute WEIGHT[n] of ways whose cost is x = WORTH[n] - LEAST above the best cost. The weight (1 - x / 256)^256
 * approximates exp(-x); any weights that fall with x are valid. Append zeros up to a multiple of LANES. Return the sum
 * of WEIGHT[n] * FROM[n].
 */
static inline double
soft_weights(int n, const double *restrict worth, double least, double sharpness, const double *restrict from,
    double *restrict weight)
{
	double factor = sharpness / (1 << SQUARINGS), sum = 0;
	struct lanes sums = { { 0 } };
	int whole = (n + LANES - 1) & -LANES;

	for (int i = 0; i < whole; i++) {
		double x = 1 - (worth[i] - least) * factor;

		weight[i] = x > 0 ? x : 0;
	}
	/* This loop is separate, because otherwise gcc adds a branch and does not vectorise. */
	for (int i = 0; i < whole; i++)
		for (int k = 0; k < SQUARINGS; k++)
			weight[i] *= weight[i];
	for (int i = n; i < whole; i++)
		weight[i] = 0;
	for (int i = 0; i < whole; i += LANES)
		for (int l = 0; l < LANES; l++)
			sums.at[l] += weight[i + l] * from[i + l];
	for (int l = 0; l < LANES; l++)
		sum += sums.at[l];
	return sum;
}

/* Add WEIGHT[n] * PART to TO[n]; WEIGHT is as soft_weights() leaves it. */
static inline void
add_weights(int n, const double *restrict weight, double part, double *restrict to)
{
	int whole = (n + LANES - 1) & -LANES;

	for (int i = 0; i < whole; i++)
		to[i] += weight[i] * part;
}

/* Divide the weights of the states LOW to HIGH by the largest weight. Return false if it is 0, or no state exists. */
static bool
scale(double *of, int low, int high)
{
	double most = 0;

	for (int j = low; j <= high; j++)
		most = of[j] > most ? of[j] : most;
	for (int j = low; j <= high && most > 0; j++)
		of[j] /= most;
	return most > 0 && isfinite(most);
}

/*
 * Compute above[], the weight of all ways to a state, relative to the cheapest way. Compute also weight[] of each edge,
 * relative to the cheapest way to its end.
 */
EACH_WIDTH static bool
go_forward(struct layout_dp *d, const double *price, double sharpness)
{
	int width = d->p->net->layers + 1;

	d->cost[0] = 0;
	d->above[0] = 1;
	for (int n = 0; n < d->p->pieces; n++) {
		const double *from = &d->above[n * width];
		double *to = &d->above[(n + 1) * width];
		struct dp_window w = { .queue = d->queue, .next = d->low[n] };

		weigh_states(d, n, price);
		for (int j = d->low[n + 1]; j <= d->high[n + 1]; j++) {
			int left = d->left[n * width + j], right = right_of(d, n, j);
			double least = window_least(&w, d->worth, left, right);

			d->cost[(n + 1) * width + j] = d->sum[j] + least;
			to[j] = soft_weights(right - left + 1, &d->worth[left], least, sharpness, &from[left],
			    &d->weight[d->edge[n * width + j]]);
		}
		if (!scale(to, d->low[n + 1], d->high[n + 1]))
			return false;
	}
	return true;
}

/* Compute beyond[], the weight of all ways from a state to the end. */
EACH_WIDTH static bool
go_back(struct layout_dp *d)
{
	int width = d->p->net->layers + 1;

	d->beyond[d->p->pieces * width + width - 1] = 1;
	for (int n = d->p->pieces; n-- > 0; ) {
		double *to = &d->beyond[n * width];
		const double *from = &d->beyond[(n + 1) * width];

		memset(to, 0, (size_t)width * sizeof *to);
		for (int j = d->low[n + 1]; j <= d->high[n + 1]; j++) {
			int left = d->left[n * width + j], right = right_of(d, n, j);

			if (from[j] > 0)
				add_weights(right - left + 1, &d->weight[d->edge[n * width + j]], from[j], &to[left]);
		}
		if (!scale(to, d->low[n], d->high[n]))
			return false;
	}
	return true;
}

bool
layout_dp_mean(struct layout_dp *d, const double *price, double sharpness, double *layers)
{
	int width = d->p->net->layers + 1, nbodies = d->p->net->nbodies;
	double *before = d->sum, *after = d->worth;	/* [layers + 1], shares up to this number of layers placed */

	if (!go_forward(d, price, sharpness) || !go_back(d))
		return false;
	memset(layers, 0, (size_t)d->p->pieces * (size_t)nbodies * sizeof *layers);
	before[0] = 1;
	for (int n = 1; n <= d->p->pieces; n++) {
		const double *above = &d->above[n * width], *beyond = &d->beyond[n * width];
		double all = 0, part = 0, *other = before;

		for (int j = d->low[n]; j <= d->high[n]; j++)
			all += above[j] * beyond[j];
		if (!(all > 0))
			return false;
		for (int j = d->low[n]; j <= d->high[n]; j++)
			after[j] = part += above[j] * beyond[j] / all;
		/* A layer belongs to the piece if the layer is placed after this piece, but not before it. */
		for (int j = d->low[n - 1]; j < d->high[n]; j++)
			layers[(n - 1) * nbodies + d->body[j]] += (j < d->high[n - 1] ? before[j] : 1) -
			    (j < d->low[n] ? 0 : after[j]);
		before = after;
		after = other;
	}
	return true;
}
