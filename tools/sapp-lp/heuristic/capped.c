#include "capped.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/alloc.h"
#include "lib/base/clock.h"
#include "sapp-lp/bound/layer_prices.h"
#include "sapp-lp/model/stage_settings.h"
#include "sapp-lp/model/tier.h"
#include "repair.h"

enum {
	ROUNDS = 8,			/* number of updates of the prices */
	REPAIR_MOVES = 100,		/* moves per piece */
	TABLE_MAX = 1 << 22,		/* number of entries of a table */
	LOOK_EVERY = 1 << 20,		/* steps of dynamic programming between checks of the clock */
};
static const double SHARPNESS = 0.5;	/* sharpness of the prices, relative to the largest excess so far */
static const double SAME = 1e-9;	/* relative tolerance of caps */

struct capped {
	const struct problem *p;
	double *cap;		/* [chunks], caps for which mix[] was computed; NAN: not computed yet */
	/* [pieces][contents], MB of the lightest mix within the cap; INFINITY: no such mix; NAN: not computed yet */
	double *activation;
	short *mix;		/* [pieces][contents], index of this mix */
	int *low, *high;	/* [pieces + 1], minimum and maximum number of layers before piece n of the model */
	int *row;		/* [stages + 1], index of a stage's first row of memory */
	/* [rows], excess of the last layout, and sum over all layouts, relative to the limits */
	double *excess, *total;
	double *price;		/* [rows] */
	double *mean;		/* [pieces + 1], layers before the n-th piece, mean of all layouts */
	double *least;		/* [2][layers + 1], least cost for the current pieces */
	int *from;		/* [pieces + 1][layers + 1] */
	int *layers;		/* [pieces] */
	struct candidate plan;
	double work, looked;	/* looked: the work at the last check of the clock */
	double deadline;
};

bool
capped_can(const struct problem *p)
{
	return ((double)p->pieces + 1) * fmax(p->net->layers + 1, p->contents.ncontents) <= TABLE_MAX;
}

/* Return whether the deadline has passed. Most calls do not check the clock. */
static bool
late(struct capped *c)
{
	if (c->work - c->looked < LOOK_EVERY)
		return false;
	c->looked = c->work;
	return !clock_left(c->deadline);
}

struct capped *
capped_new(const struct problem *p)
{
	struct capped *c = xcalloc(1, sizeof *c);
	size_t n = (size_t)p->pieces + 1, layers = (size_t)p->net->layers + 1, contents = (size_t)p->contents.ncontents;

	c->p = p;
	c->cap = xcalloc((size_t)p->chunks, sizeof *c->cap);
	for (int v = 0; v < p->chunks; v++)
		c->cap[v] = NAN;
	c->activation = xcalloc((size_t)p->pieces * contents, sizeof *c->activation);
	c->mix = xcalloc((size_t)p->pieces * contents, sizeof *c->mix);
	c->low = xcalloc(n, sizeof *c->low);
	c->high = xcalloc(n, sizeof *c->high);
	c->row = xcalloc((size_t)p->stages + 1, sizeof *c->row);
	for (int s = 0; s < p->stages; s++)
		c->row[s + 1] = c->row[s] + p->evaluator.rows[s].n;
	c->excess = xcalloc((size_t)c->row[p->stages], sizeof *c->excess);
	c->total = xcalloc((size_t)c->row[p->stages], sizeof *c->total);
	c->price = xcalloc((size_t)c->row[p->stages], sizeof *c->price);
	c->mean = xcalloc(n, sizeof *c->mean);
	c->least = xcalloc(2 * layers, sizeof *c->least);
	c->from = xcalloc(n * layers, sizeof *c->from);
	c->layers = xcalloc((size_t)p->pieces, sizeof *c->layers);
	c->plan = candidate_new(p);
	return c;
}

void
capped_free(struct capped *c)
{
	free(c->cap);
	free(c->activation);
	free(c->mix);
	free(c->low);
	free(c->high);
	free(c->row);
	free(c->excess);
	free(c->total);
	free(c->price);
	free(c->mean);
	free(c->least);
	free(c->from);
	free(c->layers);
	candidate_free(&c->plan);
	free(c);
}

double
capped_work(const struct capped *c)
{
	return c->work;
}

/*
 * Return the mix that takes at most ROOM ms and has the least memory at the piece's worst moment. For fronts on which
 * memory and time do not run in opposite order.
 */
static int
lightest_scanned(const struct problem *p, int piece, const struct pareto_front *f, double room)
{
	const struct rows *rows = &p->evaluator.rows[piece % p->stages];
	double least = INFINITY;
	int best = -1;

	for (int m = f->n - 1; m >= 0; m--) {
		double most = 0;

		for (int r = 0; r < rows->n && f->mix[m].backward <= room; r++) {
			int at = r * p->chunks + piece / p->stages;

			most = fmax(most, rows->live[at] * f->mix[m].activation + rows->held[at] * f->mix[m].kept);
		}
		if (f->mix[m].backward <= room && most < least) {
			least = most;
			best = m;
		}
	}
	return best;
}

/* Find the lightest mix of a content whose time is within the piece's cap; -1 if even the fastest mix is slower. */
static int
lightest(struct capped *c, int piece, int content)
{
	const struct problem *p = c->p;
	const struct content *x = &p->contents.content[content];
	struct times ends = end_times(p, piece);
	double room = c->cap[piece / p->stages] * (1 + SAME) / p->pace[piece % p->stages] - ends.forward -
	    ends.backward - x->forward;
	const struct pareto_front *f;
	int low = 0, high;

	if (x->backward > room)
		return -1;
	c->looked = -INFINITY;	/* making the front may take long */
	f = contents_front(&p->contents, content);
	if (p->parts)
		return lightest_scanned(p, piece, f, room);
	for (high = f->n - 1; low < high;) {
		int middle = (low + high + 1) / 2;

		if (f->mix[middle].backward <= room)
			low = middle;
		else
			high = middle - 1;
	}
	return low;
}

static double
activation(struct capped *c, int piece, int content)
{
	size_t at = (size_t)piece * (size_t)c->p->contents.ncontents + (size_t)content;

	if (isnan(c->activation[at])) {
		int mix = lightest(c, piece, content);

		c->mix[at] = (short)mix;
		c->activation[at] = mix < 0 ? INFINITY : problem_mix(c->p, content, mix)->activation;
	}
	return c->activation[at];
}

/* Return the lightest mix within the cap; -1 if none exists. */
static int
mix_of(void *capped, int piece, int content)
{
	struct capped *c = capped;

	return activation(c, piece, content) < INFINITY ?
	    c->mix[(size_t)piece * (size_t)c->p->contents.ncontents + (size_t)content] : -1;
}

/* Return the MB that the lightest mix within the cap leaves to its W, in addition to the minimum of the content. */
static double
kept(struct capped *c, int piece, int content)
{
	return problem_mix(c->p, content, mix_of(c, piece, content))->kept;
}

static bool
within(struct capped *c, int piece, int first, int length)
{
	int content = piece_content(c->p, piece, first, length);

	c->work++;
	return content >= 0 && activation(c, piece, content) < INFINITY;
}

static void
set_caps(struct capped *c, const double *cap)
{
	const struct problem *p = c->p;
	size_t n = (size_t)p->stages * (size_t)p->contents.ncontents;

	for (int v = 0; v < p->chunks; v++) {
		if (c->cap[v] == cap[v])
			continue;
		c->cap[v] = cap[v];
		for (size_t i = 0; i < n; i++)
			c->activation[(size_t)v * n + i] = NAN;
	}
}

/*
 * Compute the minimum and maximum number of layers before each piece. Return false if the caps leave no room for all
 * layers.
 */
static bool
set_window(struct capped *c)
{
	const struct problem *p = c->p;
	int layers = p->net->layers;

	for (int n = 0; n < p->pieces; n++) {
		int piece = p->piece[n], most = c->high[n];

		for (int length = 1; !late(c) && within(c, piece, c->high[n], length); length++)
			most = c->high[n] + length;
		c->high[n + 1] = most;
	}
	if (c->high[p->pieces] < layers)
		return false;
	c->low[p->pieces] = layers;
	for (int n = p->pieces - 1; n >= 0; n--) {
		int piece = p->piece[n], least = c->low[n + 1];

		for (int length = 1; !late(c) && within(c, piece, c->low[n + 1] - length, length); length++)
			least = c->low[n + 1] - length;
		c->low[n] = least > p->needed[n] ? least : p->needed[n];
		if (c->high[n + 1] > layers - needed_behind(p, n))
			c->high[n + 1] = layers - needed_behind(p, n);
	}
	for (int n = 0; n <= p->pieces; n++)
		if (c->low[n] > c->high[n])
			return false;
	return c->low[0] == 0;
}

static double
cost_of(struct capped *c, const struct tariff *w, int piece, int content, double mb)
{
	const struct content *x = &c->p->contents.content[content];

	return w->parameter * x->parameter + w->floor * x->floor + w->live * mb +
	    (w->held > 0 ? w->held * (x->kept + kept(c, piece, content)) : 0) +
	    (w->running > 0 ? w->running * piece_transient(c->p, piece, x) : 0);
}

/*
 * Find the cheapest layout within the caps in c->layers. NEAREST: find the layout nearest to the mean, by squared
 * differences of the layers before each piece. Return false if no layout exists, or if the time is over.
 */
static bool
lay_out(struct capped *c, bool nearest)
{
	const struct problem *p = c->p;
	size_t width = (size_t)p->net->layers + 1;
	double *now = c->least, *next = c->least + width;
	int at = p->net->layers;

	now[0] = 0;
	for (int n = 0; n < p->pieces; n++) {
		int piece = p->piece[n], *from = c->from + (size_t)(n + 1) * width;
		struct tariff tariff = tariff_of(p, piece, c->price + c->row[piece % p->stages]);
		double *swap = now;

		for (int i = c->low[n + 1]; i <= c->high[n + 1]; i++)
			next[i] = INFINITY;
		for (int i = c->low[n]; i <= c->high[n]; i++) {
			int least = p->fewest[piece];

			if (now[i] == INFINITY)
				continue;
			if (i + least < c->low[n + 1])
				least = c->low[n + 1] - i;
			for (int length = least; i + length <= c->high[n + 1]; length++) {
				int content = piece_content(p, piece, i, length);
				double mb = content < 0 ? INFINITY : activation(c, piece, content), cost;

				if (late(c))
					return false;
				if (!problem_border(p, n + 1, i + length))
					continue;
				if (mb == INFINITY) {
					if (length > 0)
						break;
					continue;
				}
				cost = now[i] + (nearest ? pow(i + length - c->mean[n + 1], 2) :
				    cost_of(c, &tariff, piece, content, mb));
				if (cost < next[i + length]) {
					next[i + length] = cost;
					from[i + length] = i;
				}
				c->work++;
			}
		}
		now = next;
		next = swap;
	}
	if (now[at] == INFINITY)
		return false;
	for (int n = p->pieces; n > 0; n--) {
		int before = c->from[(size_t)n * width + (size_t)at];

		c->layers[p->piece[n - 1]] = at - before;
		at = before;
	}
	return true;
}

/* Compute c->excess of c->layers and return its maximum. */
static double
set_excess(struct capped *c)
{
	const struct problem *p = c->p;
	double most = -INFINITY;

	candidate_lay_out(p, c->layers, &c->plan);
	for (int s = 0; s < p->stages; s++) {
		const struct rows *rows = &p->evaluator.rows[s];
		const struct content *chunk[CHUNKS_MAX];
		double fixed, limit = fmax(p->limit[s], 1);

		for (int v = 0; v < p->chunks; v++)
			chunk[v] = &p->contents.content[c->plan.content[v * p->stages + s]];
		fixed = stage_fixed(p, s, chunk);
		for (int r = 0; r < rows->n; r++) {
			double sum = fixed + row_beside(p, s, r, chunk, p->chunks);

			for (int v = 0; v < p->chunks; v++) {
				int piece = v * p->stages + s, content = c->plan.content[piece];

				sum += rows->live[r * p->chunks + v] * activation(c, piece, content);
				if (rows->held[r * p->chunks + v] > 0)
					sum += rows->held[r * p->chunks + v] * kept(c, piece, content);
			}
			c->excess[c->row[s] + r] = (sum - p->limit[s] - MEMORY_SLACK) / limit;
			most = fmax(most, c->excess[c->row[s] + r]);
		}
	}
	return most;
}

/*
 * Set the prices by optimistic multiplicative weights over the rows of memory (Rakhlin and Sridharan 2013). The prices
 * add up to 1.
 */
static void
set_prices(struct capped *c, double largest)
{
	int rows = c->row[c->p->stages];
	double most = -INFINITY, sum = 0;

	for (int i = 0; i < rows; i++)
		most = fmax(most, c->total[i] + c->excess[i]);
	for (int i = 0; i < rows; i++)
		sum += c->price[i] = exp(SHARPNESS * (c->total[i] + c->excess[i] - most) / largest);
	for (int i = 0; i < rows; i++)
		c->price[i] /= sum;
}

/*
 * Find c->layers within caps and memory. If none is found, return false, and c->layers is the layout nearest to the
 * mean of the priced layouts. *HOPELESS: c->layers is not set, because no layout is within the caps or the time is
 * over.
 */
static bool
play(struct capped *c, bool *hopeless)
{
	const struct problem *p = c->p;
	int rows = c->row[p->stages];
	double largest = 0;

	memset(c->mean, 0, ((size_t)p->pieces + 1) * sizeof *c->mean);
	memset(c->total, 0, (size_t)rows * sizeof *c->total);
	memset(c->excess, 0, (size_t)rows * sizeof *c->excess);
	*hopeless = true;
	for (int round = 0; round < ROUNDS && clock_left(c->deadline); round++) {
		double value = 0;
		int before = 0;

		set_prices(c, fmax(largest, 1e-9));
		if (!lay_out(c, false)) {
			*hopeless = true;
			return false;
		}
		*hopeless = false;	/* a layout exists to repair */
		if (set_excess(c) <= 0)
			return true;
		for (int i = 0; i < rows; i++) {
			largest = fmax(largest, fabs(c->excess[i]));
			value += c->price[i] * c->excess[i];
			c->total[i] += c->excess[i];
		}
		if (value > 0) {	/* weak duality: every layout exceeds memory */
			*hopeless = true;
			return false;
		}
		for (int n = 0; n < p->pieces; n++) {
			before += c->layers[p->piece[n]];
			c->mean[n + 1] += (before - c->mean[n + 1]) / (round + 1);
		}
	}
	return !*hopeless && lay_out(c, true) && set_excess(c) <= 0;
}

bool
capped_find(struct capped *c, const double *cap, double deadline, struct candidate *out)
{
	const struct problem *p = c->p;
	bool found, hopeless;

	c->deadline = deadline;
	set_caps(c, cap);
	if (!set_window(c))
		return false;
	found = play(c, &hopeless);
	if (hopeless)
		return false;
	if (!found) {
		struct repair *w = repair_new(p, c->layers, &(struct allowed){ mix_of, c });
		int stage;

		repair_run(w, REPAIR_MOVES * p->pieces, MEMORY_SLACK, deadline);
		c->work += REPAIR_MOVES * p->pieces;
		found = repair_best(w, out, &stage) <= MEMORY_SLACK;
		repair_free(w);
	} else
		candidate_copy(p, out, &c->plan);
	for (int i = 0; i < p->pieces && found; i++)
		out->mix[i] = mix_of(c, i, out->content[i]);
	return found;
}
