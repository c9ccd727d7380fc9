/*
 * Every stage does its work M times. Before that, the first micro-batch passes all earlier pieces; afterwards the last
 * micro-batch passes them on its way back. Thus time and memory limit the layers of each stage, and all stages together
 * must hold all layers. Everything ignored here can only add time.
 */
#include "reach.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/alloc.h"

enum { FEW = 8, GROUPS = 3 };	/* FEW: maximum number of layers of the rarer class that are placed exactly */

/* Layers of one class on a stage that all keep activations for the same number of micro-batches, LIVE. */
struct reach_group {
	const struct reach_layer *of;
	double layers, live;
};

/*
 * Set the number of micro-batches whose activations a layer keeps at its stage's peak: *LAST for a layer in the last
 * chunk, *MOST for a layer in an earlier chunk.
 */
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

/* Return the bytes that recomputation of kind RECOMPUTE saves per layer of the group. */
static double
saving(const struct reach_group *g, int recompute)
{
	return g->live * (g->of->memory[KEEP_ALL] - g->of->memory[recompute]);
}

/*
 * Return the minimum time to save LEFT bytes by selective recomputation of layers that are not fully recomputed. FULL:
 * number of fully recomputed layers, by group. Fractions of layers count, which can only shorten the time.
 */
static double
least_selected(const struct reach_group g[GROUPS], const double full[GROUPS], double left)
{
	bool done[GROUPS] = { false };
	double again = 0;

	for (int n = 0; n < GROUPS && left > 0; n++) {
		int best = -1;
		double price = INFINITY, most;

		for (int i = 0; i < GROUPS; i++)
			if (!done[i] && g[i].layers > full[i] && saving(&g[i], KEEP_SELECT) > 0 &&
			    g[i].of->again[KEEP_SELECT] / saving(&g[i], KEEP_SELECT) < price) {
				price = g[i].of->again[KEEP_SELECT] / saving(&g[i], KEEP_SELECT);
				best = i;
			}
		if (best < 0)
			return INFINITY;
		done[best] = true;
		most = (g[best].layers - full[best]) * saving(&g[best], KEEP_SELECT);
		again += price * fmin(left, most);
		left -= most;
	}
	return left > 1 ? INFINITY : again;
}

/*
 * Return the minimum recomputation time with which the groups fit into ROOM bytes; INFINITY: they do not fit. Full
 * recomputation takes whole layers. Within a class it takes the layers first that are kept for most micro-batches.
 */
static double
least_again(const struct reach_group g[GROUPS], double room)
{
	double need = -room, best = INFINITY;

	for (int i = 0; i < GROUPS; i++)
		if (g[i].layers > 0)
			need += g[i].layers * (g[i].of->state + g[i].live * g[i].of->memory[KEEP_ALL]);
	if (need <= 0)
		return 0;
	for (int b = 0; b <= g[2].layers; b++)
		for (int a = 0; a <= g[0].layers + g[1].layers; a++) {
			double full[GROUPS] = { fmin(a, g[0].layers), fmax(0, a - g[0].layers), b };
			double left = need, again = 0;

			for (int i = 0; i < GROUPS; i++) {
				left -= full[i] > 0 ? full[i] * saving(&g[i], KEEP_FULL) : 0;
				again += full[i] > 0 ? full[i] * g[i].of->again[KEEP_FULL] : 0;
			}
			if (again < best)
				best = fmin(best, again + least_selected(g, full, left));
		}
	return best;
}

struct reach_stage {
	double whole;		/* s that the pipeline may take */
	double time;		/* s that layers of the stage may take per micro-batch */
	double room;		/* bytes that layers of the stage may use; INFINITY: no limit */
	double most, last;	/* numbers of micro-batches from live() */
	int chunks;
};

/* The layers to place. layer[0] is the more common class, layer[1] the rarer one. */
struct deal {
	struct reach_layer layer[2];
	bool leads;		/* the rarer class starts the model, in the first chunks of the first stages */
	bool empty;		/* any chunk may be empty */
};

/* Return the maximum number of chunks of a stage that B layers of the rarer class can occupy. */
static int
chunks_of(const struct deal *d, int b)
{
	return d->leads && b > 1 ? 1 : b;
}

/*
 * Of the A common layers, return the minimum number in chunks before the last. Each chunk without any of the B rarer
 * layers needs one common layer.
 */
static int
fewest_early(const struct deal *d, const struct reach_stage *s, int a, int b)
{
	int others = s->chunks - 1 - chunks_of(d, b);

	return others < 0 || d->empty ? 0 : others < a ? others : a;
}

/*
 * Return the minimum recomputation time of a stage with A layers of the common class and B of the rarer class. EARLY of
 * the A layers are in chunks before the last.
 */
static double
again_of(const struct deal *d, const struct reach_stage *s, int a, int b, int early)
{
	const struct reach_group g[GROUPS] = { { &d->layer[0], early, s->most }, { &d->layer[0], a - early, s->last },
	    { &d->layer[1], b, d->leads ? s->most : s->last } };

	return s->room < INFINITY ? least_again(g, s->room) : 0;
}

/*
 * Return the time of a stage with A layers of the common class and B of the rarer class, including necessary
 * recomputation.
 */
static double
time_of(const struct deal *d, const struct reach_stage *s, int a, int b)
{
	return a * d->layer[0].work + b * d->layer[1].work + again_of(d, s, a, b, fewest_early(d, s, a, b));
}

/* Return the minimum number of layers of the common class on a stage with B layers of the rarer class. */
static int
fewest_layers(const struct deal *d, const struct reach_stage *s, int b)
{
	int chunks = s->chunks - chunks_of(d, b);

	return chunks > 0 && !d->empty ? chunks : 0;
}

/*
 * Return the maximum number of layers of the common class on a stage with B layers of the rarer class; -1: B layers do
 * not fit.
 */
static int
most_layers(const struct deal *d, const struct reach_stage *s, int b)
{
	const struct reach_layer *layer = d->layer;
	double time = s->time - b * layer[1].work;
	int low = fewest_layers(d, s, b), high;

	if (time < 0)
		return -1;
	high = (int)fmin(layer[0].count, floor(time / layer[0].work * (1 + 1e-12)));
	if (high < low || time_of(d, s, low, b) > s->time * (1 + 1e-12))
		return -1;
	while (low < high) {
		int half = (low + high + 1) / 2;

		if (time_of(d, s, half, b) <= s->time * (1 + 1e-12))
			low = half;
		else
			high = half - 1;
	}
	return low;
}

/*
 * Order the two classes by their number of layers. If both have many, merge them into one class with the minimum of
 * each figure.
 */
static struct deal
deal_of(const struct reach *r, const struct configuration *c)
{
	int common = r->layer[1].count > r->layer[0].count;
	struct deal d = { .layer = { r->layer[common], r->layer[!common] }, .empty = r->empty || r->ends_alone };
	struct reach_layer *layer = d.layer;

	/* Every piece has a layer, so these few layers end before the second chunks begin. */
	d.leads = r->parted && !d.empty && r->first != common && layer[1].count <= c->pp;
	if (layer[1].count <= FEW)
		return d;
	d.leads = false;
	layer[0].count += layer[1].count;
	layer[1].count = 0;
	layer[0].work = fmin(layer[0].work, layer[1].work);
	layer[0].state = fmin(layer[0].state, layer[1].state);
	for (int k = 0; k < 3; k++) {
		layer[0].again[k] = fmin(layer[0].again[k], layer[1].again[k]);
		layer[0].memory[k] = fmin(layer[0].memory[k], layer[1].memory[k]);
	}
	return d;
}

/* Return the minimum work of the first N pieces if none is empty: the work of the model's first N layers. */
static double
first_work(const struct reach *r, int n)
{
	const struct reach_layer *a = &r->layer[r->first], *b = &r->layer[!r->first];

	if (r->empty)
		return 0;
	if (r->ends_alone && n > 0)
		n--;
	if (r->parted)
		return n <= a->count ? n * a->work : a->count * a->work + (n - a->count) * b->work;
	return n * (a->count == 0 ? b->work : b->count == 0 ? a->work : fmin(a->work, b->work));
}

static struct reach_stage
stage_of(const struct reach *r, const struct configuration *c, int i, double time)
{
	struct reach_stage s = { .chunks = c->vp, .whole = time, .room = INFINITY };
	double own = first_work(r, i) + i * 2 * r->transfer + (i > 0 ? r->head_work : 0);

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
 * A lower bound X of the step, over all stages together: P X is at least DELAY plus a weighted sum. It is the sum over
 * stages of a weight times the stage's work for one micro-batch.
 *
 * Interleaved schedules run groups of P micro-batches. Before the first micro-batch reaches chunk k of stage i, its
 * forward has passed all earlier pieces, with a transfer after each. In that time the stage has done at most its chunks
 * before k, for one group. The same holds on the way back.
 *
 * Summed over the stages these terms cancel, except for chunk k on the stages before i. So the weight of stage i is M,
 * and M + P - 1 - i for its chunk k, for any choice of k. A mean of these bounds over k is also a bound. The last chunk
 * gets SHARE of the addition P - 1 - i, and the other chunks equal parts of the rest.
 *
 * For 1F1B and GPipe the weights come from bound.c, whose bounds hold for every partition.
 */
struct weights {
	/* weight of the work in the chunks before the last; weight of the work in the last chunk */
	double early, last;
};

static struct weights
weights_of(const struct reach *r, const struct configuration *c, int stage, double share)
{
	double m = c->micro_batches, p = c->pp, behind = c->pp - 1 - stage, all = m;

	if (c->vp > 1 && c->micro_batches % c->pp == 0)
		return (struct weights){ m + (1 - share) * behind / (c->vp - 1), m + share * behind };
	if (r->empty)
		return (struct weights){ m, m };
	if (c->schedule == ORDER_1F1B)
		all = m > p ? m + p - 1 : 2 * p * p / (2 * p - m + 1);
	if (c->schedule == ORDER_GPIPE)
		all = m + p - 1;
	return (struct weights){ all, all };
}

static double
delay_of(const struct configuration *c, double share, double transfer)
{
	double p = c->pp, v = c->vp;

	if (c->vp == 1 || c->micro_batches % c->pp != 0)
		return 0;
	return transfer * (p * (p - 1) + 2 * p * p * (share * (v - 1) + (1 - share) * (v - 2) / 2));
}

/*
 * Return the minimum weighted work of a stage with A layers of the common class and B of the rarer class; INFINITY: the
 * stage exceeds its time. The wait before the last chunk, described above, is longer if the chunks before it hold fewer
 * layers.
 */
static double
stage_weighted(const struct reach *r, const struct deal *d, const struct configuration *c, const struct reach_stage *s,
    int stage, int a, int b, double share)
{
	struct weights w = weights_of(r, c, stage, share);
	double head = stage == 0 ? r->head_work : 0, tail = stage == c->pp - 1 ? r->tail_work : 0, best = INFINITY;
	int pieces = (c->vp - 1) * c->pp + stage;	/* number of pieces before the stage's last piece */
	double before = pieces > 0 ? r->head_work + first_work(r, pieces) + 2 * pieces * r->transfer : 0;
	bool grouped = c->vp > 1 && c->micro_batches % c->pp == 0;
	int most = s->chunks == 1 ? 0 : !d->empty && (d->leads || b == 0) ? a - 1 : a;

	for (int early = fewest_early(d, s, a, b); early <= most; early++) {
		double again = again_of(d, s, a, b, early), lead = d->leads ? b * d->layer[1].work : 0;
		double work = early * d->layer[0].work + lead + head, last = (a - early) * d->layer[0].work + tail;
		double rare = d->leads ? 0 : b * d->layer[1].work, all = work + last + rare + again;
		double wait = grouped ? before - c->pp * (work + rare + again) : 0;

		if (s->chunks == 1)
			last += work, work = 0;
		if (work + last + rare + again - head - tail > s->time * (1 + 1e-12) ||
		    c->micro_batches * all + wait > s->whole * (1 + 1e-12))
			continue;
		best = fmin(best, w.early * work + w.last * last + fmin(w.early, w.last) * rare +
		    c->micro_batches * again);
	}
	return best;
}

/*
 * Return the minimum weighted work over all stages with whole layers, each stage within its time; INFINITY: impossible.
 */
static double
least_weighted(const struct reach *r, const struct deal *d, const struct configuration *c, double time, double share)
{
	int rare = d->layer[1].count, all = d->layer[0].count;
	size_t states = (size_t)(rare + 1) * (size_t)(all + 1);
	double *best = xcalloc(states, sizeof *best), *next = xcalloc(states, sizeof *next), least;

	for (size_t i = 0; i < states; i++)
		best[i] = i == 0 ? 0 : INFINITY;
	for (int i = 0; i < c->pp; i++) {
		struct reach_stage s = stage_of(r, c, i, time);
		double *old = best;

		for (size_t k = 0; k < states; k++)
			next[k] = INFINITY;
		for (int b = 0; b <= rare; b++) {
			int most = most_layers(d, &s, b);

			for (int a = fewest_layers(d, &s, b); a <= most; a++) {
				double own = stage_weighted(r, d, c, &s, i, a, b, share);

				/*
				 * If the rarer class starts the model, its remaining layers come before any common
				 * layer.
				 */
				for (int y = d->leads && b == 0 ? rare : b; own < INFINITY && y <= rare; y++) {
					const double *from = best + (size_t)(y - b) * (size_t)(all + 1);
					double *to = next + (size_t)y * (size_t)(all + 1);

					for (int x = a; x <= all; x++)
						to[x] = fmin(to[x], from[x - a] + own);
				}
			}
		}
		best = next;
		next = old;
	}
	least = best[states - 1];
	free(best);
	free(next);
	return least;
}

/* Return whether the stages, each within its time, can hold all layers of both classes. */
static bool
enough(const struct reach *r, const struct deal *d, const struct configuration *c, double time)
{
	int best[FEW + 1], next[FEW + 1], rare = d->layer[1].count;

	for (int b = 0; b <= rare; b++)
		best[b] = b == 0 ? 0 : -1;
	/*
	 * next[b]: maximum number of common layers on the stages up to this one, next to b layers of the rarer class.
	 */
	for (int i = 0; i < c->pp; i++) {
		struct reach_stage s = stage_of(r, c, i, time);

		for (int b = 0; b <= rare; b++)
			next[b] = -1;
		for (int own = 0; own <= rare; own++) {
			int most = most_layers(d, &s, own);

			/* If the rarer class starts the model, its remaining layers come before any common layer. */
			for (int b = d->leads && own == 0 ? rare : own; most >= 0 && b <= rare; b++)
				if (best[b - own] >= 0 && best[b - own] + most > next[b])
					next[b] = best[b - own] + most;
		}
		memcpy(best, next, sizeof best);
	}
	return best[rare] >= d->layer[0].count;
}

bool
reach_below(const struct reach *r, const struct configuration *c, double time)
{
	struct deal d = deal_of(r, c);
	/* Try three shares of the addition for the last chunk: an equal share, a larger one, and all. */
	double share[] = { 1.0 / c->vp, 0.5 + 0.5 / c->vp, 1 };

	if (!enough(r, &d, c, time))
		return false;
	for (int i = 0; i < (c->vp == 1 ? 1 : 3); i++)
		if (least_weighted(r, &d, c, time, share[i]) + c->micro_batches * r->ends_work +
		    delay_of(c, share[i], r->transfer) > c->pp * time * (1 + 1e-12))
			return false;
	return true;
}
