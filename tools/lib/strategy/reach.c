/*
 * Can any plan of a configuration be shorter than a given time?  Every stage runs its own work M times, behind one
 * pass of a piece on each stage before it, and before the same on the way back; so many layers as fit into that time
 * and into memory are the most that it can have, and all stages together must have all layers. What is left out only
 * adds.
 */
#include "reach.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { FEW = 8, GROUPS = 3 };	/* layers of the rarer kind that are dealt exactly */

/* Layers that are kept for equally many micro-batches. */
struct group {
	const struct reach_layer *of;
	double layers, live;
};

/* Micro-batches of a layer that are kept at the stage's peak: in most chunks, and in the last one. */
static void
live(const struct configuration *c, int stage, double *most, double *last)
{
	double m = c->micro_batches, p = c->pp;

	*most = *last = fmin(m, p - stage);
	if (c->schedule == ORDER_GPIPE)
		*most = *last = m;
	if (c->schedule == ORDER_INTERLEAVED || c->schedule == ORDER_INTERLEAVED_LESS) {
		*most = fmin(m, p);
		*last = fmin(*most, c->schedule == ORDER_INTERLEAVED ? 2 * (p - 1 - stage) + 1 : p - stage);
	}
}

struct upgrade {		/* seconds for bytes: recomputing more of a group */
	double seconds, bytes;
};

static int
by_price(const void *a, const void *b)
{
	const struct upgrade *x = a, *y = b;
	double l = x->seconds * y->bytes, r = y->seconds * x->bytes;

	return (l > r) - (l < r);
}

/* The cheapest ways from keeping all to keeping the input, on the lower hull. */
static int
upgrades(const struct group *g, struct upgrade *to)
{
	const struct reach_layer *l = g->of;
	double half = l->memory[KEEP_ALL] - l->memory[KEEP_SELECT], whole = l->memory[KEEP_ALL] - l->memory[KEEP_FULL];
	double n = g->layers, units = g->layers * g->live;

	if (n <= 0 || whole <= 0)
		return 0;
	if (half > 0 && half < whole && l->again[KEEP_SELECT] * whole < l->again[KEEP_FULL] * half) {
		to[0] = (struct upgrade){ n * l->again[KEEP_SELECT], units * half };
		to[1] = (struct upgrade){ n * (l->again[KEEP_FULL] - l->again[KEEP_SELECT]), units * (whole - half) };
		return 2;
	}
	to[0] = (struct upgrade){ n * l->again[KEEP_FULL], units * whole };
	return 1;
}

/* The least recomputation that makes groups of layers fit into ROOM, in parts of layers; INFINITY: none does. */
static double
least_again(const struct group g[GROUPS], double room)
{
	struct upgrade to[2 * GROUPS];
	double need = -room, again = 0;
	int n = 0;

	for (int i = 0; i < GROUPS; i++) {
		if (g[i].layers <= 0)
			continue;
		need += g[i].layers * (g[i].of->state + g[i].live * g[i].of->memory[KEEP_ALL]);
		n += upgrades(&g[i], to + n);
	}
	if (need <= 0)
		return 0;
	qsort(to, (size_t)n, sizeof *to, by_price);
	for (int i = 0; i < n && need > 0; i++) {
		double part = fmin(1, need / to[i].bytes);

		again += part * to[i].seconds;
		need -= part * to[i].bytes;
	}
	return need > 1 ? INFINITY : again;
}

struct stage {
	double time;		/* s for one micro-batch, without ends */
	double room;		/* bytes for layers; INFINITY: any */
	double most, last;	/* live */
	int chunks;
};

/* Time of so many layers of both kinds with the recomputation that they need. */
static double
time_of(const struct reach_layer layer[2], const struct stage *s, int a, int b)
{
	/* In most chunks one layer is the least that can be there, and it may be of the rarer kind. */
	int other = s->chunks - 1 - b > 0 ? s->chunks - 1 - b : 0, early = other < a ? other : a;
	const struct group g[GROUPS] = { { &layer[0], early, s->most }, { &layer[0], a - early, s->last },
	    { &layer[1], b, s->last } };

	return a * layer[0].work + b * layer[1].work + (s->room < INFINITY ? least_again(g, s->room) : 0);
}

/* The most layers of the first kind beside B of the second, or -1. */
static int
most_layers(const struct reach_layer layer[2], const struct stage *s, int b)
{
	double time = s->time - b * layer[1].work;
	int low = s->chunks - b > 0 ? s->chunks - b : 0, high;

	if (time < 0)
		return -1;
	high = (int)fmin(layer[0].count, floor(time / layer[0].work * (1 + 1e-12)));
	if (high < low || time_of(layer, s, low, b) > s->time * (1 + 1e-12))
		return -1;
	while (low < high) {
		int half = (low + high + 1) / 2;

		if (time_of(layer, s, half, b) <= s->time * (1 + 1e-12))
			low = half;
		else
			high = half - 1;
	}
	return low;
}

/* The commoner kind first; many of both kinds are all taken for the cheapest in everything. */
static void
order_kinds(const struct reach *r, struct reach_layer layer[2])
{
	int common = r->layer[1].count > r->layer[0].count;

	layer[0] = r->layer[common];
	layer[1] = r->layer[!common];
	if (layer[1].count <= FEW)
		return;
	layer[0].count += layer[1].count;
	layer[1].count = 0;
	layer[0].work = fmin(layer[0].work, layer[1].work);
	layer[0].state = fmin(layer[0].state, layer[1].state);
	for (int k = 0; k < 3; k++) {
		layer[0].again[k] = fmin(layer[0].again[k], layer[1].again[k]);
		layer[0].memory[k] = fmin(layer[0].memory[k], layer[1].memory[k]);
	}
}

static struct stage
stage_of(const struct reach *r, const struct configuration *c, int i, double time, double least)
{
	struct stage s = { .chunks = c->vp, .room = INFINITY };
	double own = i * (least + 2 * r->transfer) + (i > 0 ? r->head_work : 0);

	s.time = (time - own) / c->micro_batches;
	live(c, i, &s.most, &s.last);
	if (i == 0)
		s.time -= r->head_work;
	if (i == c->pp - 1)
		s.time -= r->tail_work;
	if (r->limit > 0)
		s.room = r->limit - r->constant - (i == 0 ? r->head_state : 0) - (i == c->pp - 1 ? r->tail_state : 0);
	return s;
}

/*
 * Interleaved, in whole groups of as many micro-batches as stages: on stage i the first micro-batch's forward of any
 * chunk has run through all pieces before it, and the stage meanwhile has done no more than the chunks before, of
 * one group; so again on the way back. Over all stages these cancel, but for that chunk on the stages before i; over
 * all chunks that is a stage's work over the chunks: P X >= sum over i of (M + (P - 1 - i) / V) w_i + P (P - 1)
 * transfer.
 */
static bool
mean_below(const struct reach *r, const struct configuration *c, double time, double least)
{
	double m = c->micro_batches, p = c->pp, cost = p * (p - 1) * r->transfer;
	double left = r->head_work + r->tail_work;

	if ((c->schedule != ORDER_INTERLEAVED && c->schedule != ORDER_INTERLEAVED_LESS) ||
	    c->micro_batches % c->pp != 0)
		return true;
	for (int k = 0; k < 2; k++)
		left += r->layer[k].count * r->layer[k].work;
	/* Every piece has a layer; the rest goes where it counts least, from the last stage on. */
	for (int i = 0; i < c->pp; i++) {
		double own = c->vp * least + (i == 0 ? r->head_work : 0) + (i == c->pp - 1 ? r->tail_work : 0);

		cost += own * (m + (p - 1 - i) / c->vp);
		left -= own;
	}
	for (int i = c->pp - 1; i >= 0 && left > 0; i--) {
		double room = stage_of(r, c, i, time, least).time - c->vp * least, more = fmin(left, fmax(room, 0));

		cost += more * (m + (p - 1 - i) / c->vp);
		left -= more;
	}
	return cost <= p * time * (1 + 1e-12) && left <= 1e-12 * time;
}

bool
reach_below(const struct reach *r, const struct configuration *c, double time)
{
	struct reach_layer layer[2];
	int best[FEW + 1], next[FEW + 1], rare;
	double least;

	order_kinds(r, layer);
	rare = layer[1].count;
	least = rare > 0 ? fmin(layer[0].work, layer[1].work) : layer[0].work;
	if (!mean_below(r, c, time, least))
		return false;
	for (int b = 0; b <= rare; b++)
		best[b] = b == 0 ? 0 : -1;
	/* The most of the commoner kind on the stages so far, beside b of the rarer. */
	for (int i = 0; i < c->pp; i++) {
		struct stage s = stage_of(r, c, i, time, least);

		for (int b = 0; b <= rare; b++)
			next[b] = -1;
		for (int own = 0; own <= rare; own++) {
			int most = most_layers(layer, &s, own);

			for (int b = own; most >= 0 && b <= rare; b++)
				if (best[b - own] >= 0 && best[b - own] + most > next[b])
					next[b] = best[b - own] + most;
		}
		memcpy(best, next, sizeof best);
	}
	return best[rare] >= layer[0].count;
}
