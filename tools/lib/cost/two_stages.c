/*
 * A test whether a plan of two stages with chunks can be shorter than a given time X.
 *
 * Micro-batches run in groups of two. Before the first micro-batch reaches chunk k of stage i, its forward has passed
 * all earlier pieces, with a transfer after each. In that time the stage has run two micro-batches through its chunks
 * before k. On the way back, the last backward passes the same pieces (reach.c). Let a_j and b_j be the work of chunk j
 * on the two stages, w_0 and w_1 the whole work of each stage, and D_k the sum over j < k of a_j - b_j. Then for every
 * k
 *
 * X >= M w_0 - D_k + 4 k transfer, X >= M w_1 + D_k + a_k + (4 k + 2) transfer.
 *
 * The two inequalities for k limit D_k to a window. The test tries all ways to distribute whole layers with every D_k
 * in its window. The test ignores memory and recomputation, which can only add work. A piece without layers is passed
 * like any other. With reach.ends_alone the first and the last piece may be empty.
 */
#include "two_stages.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/alloc.h"

/* maximum numbers of layers: of the class at the start of the model; of the whole model */
enum { MOST_FIRST = 8, MOST_LAYERS = 400 };

/* The layers of both stages, and the layers that the first stage is to hold. */
struct dealing {
	double work[2];		/* s per layer of the first class, of the other class */
	double head, tail;	/* s */
	double transfer;	/* s of a transfer */
	int count[2];
	int own[2];		/* number of layers on the first stage, by class */
	int chunks, micro;
	int alone;		/* 1: the first and the last piece may be empty; 0: not */
	double time;		/* X, s */
};

/*
 * Return the entry in AT of a state. LAYERS: number placed on both stages. FIRST and OTHER: numbers of the first and
 * the other class on the first stage.
 */
static bool *
state(const struct dealing *d, bool *at, int first, int layers, int other)
{
	int all = d->count[0] + d->count[1];

	return &at[((size_t)first * (size_t)(all + 1) + (size_t)layers) * (size_t)(d->own[1] + 1) + (size_t)other];
}

static int
least(int a, int b)
{
	return a < b ? a : b;
}

/* Return how many of the N layers after the first FROM are of the first class. */
static int
firsts(const struct dealing *d, int from, int n)
{
	return least(from + n, d->count[0]) - least(from, d->count[0]);
}

static double
work_of(const struct dealing *d, int from, int n)
{
	int first = firsts(d, from, n);

	return first * d->work[0] + (n - first) * d->work[1];
}

/*
 * For each way to fill chunk K on both stages, mark the resulting state in NEXT. LAYERS, FIRST and OTHER: the state
 * before, see state().
 */
static void
deal_chunk(const struct dealing *d, int k, int first, int layers, int other, bool *next)
{
	int all = d->count[0] + d->count[1];
	/* minimum number of layers in this chunk, by stage */
	int fewest[2] = { k > 0 || !d->alone, k < d->chunks - 1 || !d->alone };
	int left = k < d->chunks - 1 ? 2 * (d->chunks - 1 - k) - d->alone : 0;
	double before = (k > 0 ? d->head : 0) + first * d->work[0] + other * d->work[1];
	double ahead = 2 * before - (k > 0 ? d->head : 0) - work_of(d, 0, layers);	/* D_k */
	double own = d->head + d->own[0] * d->work[0] + d->own[1] * d->work[1];
	double theirs = work_of(d, 0, all) + d->head + d->tail - own, slack = 1e-9 * d->time;

	if (d->micro * own - ahead + 4 * k * d->transfer > d->time + slack)
		return;
	for (int a = fewest[0]; layers + a + fewest[1] + left <= all; a++) {
		int now = firsts(d, layers, a);
		double chunk = work_of(d, layers, a) + (k == 0 ? d->head : 0);

		if (first + now > d->own[0] || other + a - now > d->own[1] ||
		    d->micro * theirs + ahead + chunk + (4 * k + 2) * d->transfer > d->time + slack)
			break;
		for (int b = fewest[1]; layers + a + b + left <= all; b++)
			*state(d, next, first + now, layers + a + b, other + a - now) = true;
	}
}

/* Return whether the first stage can hold these layers. */
static bool
can_deal(const struct dealing *d)
{
	int all = d->count[0] + d->count[1];
	size_t states = (size_t)(d->count[0] + 1) * (size_t)(all + 1) * (size_t)(d->own[1] + 1);
	bool *now = xcalloc(states, sizeof *now), *next = xcalloc(states, sizeof *next), found;

	*state(d, now, 0, 0, 0) = true;
	for (int k = 0; k < d->chunks; k++) {
		bool *old = now;

		memset(next, 0, states * sizeof *next);
		for (int first = 0; first <= d->own[0]; first++)
			for (int layers = 0; layers <= all; layers++)
				for (int other = 0; other <= d->own[1]; other++)
					if (*state(d, now, first, layers, other))
						deal_chunk(d, k, first, layers, other, next);
		now = next;
		next = old;
	}
	found = *state(d, now, d->own[0], all, d->own[1]);
	free(now);
	free(next);
	return found;
}

bool
two_stages_below(const struct reach *r, const struct configuration *c, double time)
{
	const struct reach_layer *first = &r->layer[r->first], *other = &r->layer[!r->first];
	struct dealing d = { .work = { first->work, other->work }, .head = r->head_work, .tail = r->tail_work,
		.transfer = r->transfer, .count = { first->count, other->count }, .chunks = c->vp,
		.micro = c->micro_batches, .alone = r->ends_alone, .time = time };
	double all;

	if (d.count[1] == 0) {		/* if all layers are of one class, it takes the place of the other class */
		d.count[1] = d.count[0];
		d.work[1] = d.work[0];
		d.count[0] = 0;
	}
	if (c->pp != 2 || c->vp == 1 || c->micro_batches % 2 != 0 || !r->parted || d.count[0] > MOST_FIRST ||
	    d.count[0] + d.count[1] > MOST_LAYERS ||
	    (c->schedule != ORDER_INTERLEAVED && c->schedule != ORDER_INTERLEAVED_LESS))
		return true;
	all = d.head + d.tail + d.count[0] * d.work[0] + d.count[1] * d.work[1];
	for (d.own[0] = 0; d.own[0] <= d.count[0]; d.own[0]++)
		for (d.own[1] = 0; d.own[1] <= d.count[1]; d.own[1]++) {
			double own = d.head + d.own[0] * d.work[0] + d.own[1] * d.work[1];

			if (d.micro * fmax(own, all - own) <= time * (1 + 1e-9) && can_deal(&d))
				return true;
		}
	return false;
}
