/* Equal pieces: steepest descent over the numbers of layers of the chunks. */
#include "equal_pieces.h"

#include <math.h>
#include <stdlib.h>

#include "lib/base/alloc.h"
#include "lib/base/clock.h"
#include "lib/base/random.h"
#include "sapp-lp/model/stage_settings.h"
#include "sapp-lp/pattern/recompute_greedy.h"

static const double WORK = 1e8;		/* maximum number of operations simulated from one start */
static const double UNTIMED = 1e6;	/* number of operations simulated even after the deadline */
/* Penalty of a relative excess, in steps: starts alternate between these values. */
static const double EXCESS[] = { 4, 1 };

/*
 * A layout with COUNT[v] layers in every piece of chunk v. Some pieces of chunk MORE have one layer more: on the last
 * stages, or on the first.
 */
struct equal_pieces {
	int count[CHUNKS_MAX];
	int more;
	bool last;
};

struct equal_search {
	const struct problem *p;
	int left;		/* number of remaining layers, below the number of stages */
	struct lanes *cost, *end, *clock;
	int *layers;		/* [pieces], scratch */
	struct candidate plan;	/* scratch */
	double excess;		/* see EXCESS */
	double work;		/* number of operations simulated */
};

static void
lay_out(const struct equal_search *w, const struct equal_pieces *r, int *layers)
{
	const struct problem *p = w->p;

	for (int v = 0; v < p->chunks; v++)
		for (int s = 0; s < p->stages; s++) {
			bool one = v == r->more && (r->last ? p->stages - 1 - s : s) < w->left;

			layers[v * p->stages + s] = r->count[v] + one;
		}
}

/* Recompute every stage as needed, or fully if it does not fit. Return the largest relative excess. */
static double
settle(struct equal_search *w)
{
	const struct problem *p = w->p;
	int content[p->chunks], mix[p->chunks];
	double excess = 0;

	for (int s = 0; s < p->stages; s++) {
		candidate_stage(p, &w->plan, s, content, NULL);
		if (!recompute_evenly(p, s, content, mix)) {
			double least = stage_least_mixes(p, s, content, mix);

			excess = fmax(excess, (least - p->limit[s]) / fmax(p->limit[s], 1));
		}
		candidate_set_mixes(p, &w->plan, s, mix);
	}
	return excess;
}

/*
 * Put a layout into a lane. Return the factor by which the penalty multiplies its step; INFINITY: no contents exist for
 * the layout.
 */
static double
load(struct equal_search *w, int lane, const struct equal_pieces *r)
{
	const struct problem *p = w->p;
	double cost[p->evaluator.slots], excess;

	lay_out(w, r, w->layers);
	if (!candidate_lay_out(p, w->layers, &w->plan))
		return INFINITY;
	excess = settle(w);
	candidate_costs(p, &w->plan, cost);
	for (int i = 0; i < p->evaluator.slots; i++)
		w->cost[i].at[lane] = cost[i];
	return 1 + w->excess * excess;
}

struct neighbours {
	int n;
	struct equal_pieces *at;	/* [n] */
};

static void
add_neighbour(struct neighbours *b, const struct equal_pieces *r)
{
	*APPEND(b->at, b->n) = *r;
}

/*
 * List the neighbours of a layout: layouts with a layer of one chunk moved to another chunk, or with the remaining
 * layers elsewhere.
 */
static struct neighbours
neighbours_new(const struct problem *p, const struct equal_pieces *r)
{
	struct neighbours b = { 0 };

	for (int u = 0; u < p->chunks; u++)
		for (int v = 0; v < p->chunks; v++) {
			struct equal_pieces next = *r;

			if (u == v || r->count[u] < (p->net->empty ? 1 : 2))
				continue;
			next.count[u]--;
			next.count[v]++;
			add_neighbour(&b, &next);
		}
	for (int i = 0; i < 2 * p->chunks; i++) {
		struct equal_pieces next = *r;

		next.more = i / 2;
		next.last = i % 2;
		if (next.more != r->more || next.last != r->last)
			add_neighbour(&b, &next);
	}
	return b;
}

/*
 * Return the best layout in B if its step, with the penalty, is below *STEP, and set *STEP to this step. Return NULL if
 * no layout in B is better.
 */
static const struct equal_pieces *
best_of(struct equal_search *w, const struct neighbours *b, double *step)
{
	const struct equal_pieces *best = NULL;

	for (int first = 0; first < b->n; first += LANES) {
		int n = b->n - first < LANES ? b->n - first : LANES;
		double times[LANES];
		struct lanes t;

		for (int l = 0; l < n; l++)
			times[l] = load(w, l, &b->at[first + l]);
		t = evaluator_run(&w->p->evaluator, w->cost, w->end, w->clock);
		w->work += (double)LANES * w->p->evaluator.noperations;
		for (int l = 0; l < n; l++)
			if (t.at[l] * times[l] < *step) {
				*step = t.at[l] * times[l];
				best = &b->at[first + l];
			}
	}
	return best;
}

static void
descend(struct equal_search *w, struct equal_pieces *r, double deadline)
{
	double step = INFINITY;
	bool better = true;

	double once = (double)LANES * w->p->evaluator.noperations;

	while (better && w->work < WORK && (w->work + once < UNTIMED || clock_left(deadline))) {
		struct neighbours b = neighbours_new(w->p, r);
		const struct equal_pieces *best = best_of(w, &b, &step);

		better = best != NULL;
		if (better)
			*r = *best;
		free(b.at);
	}
}

/* Return the ms per micro-batch of the layers before layer N of the model, each in its fastest kind. */
static double
time_before(const struct network *net, double n)
{
	double sum = 0;

	for (int b = 0; b < net->nbodies; b++) {
		double layers = fmin(fmax(n, 0), net->body[b].layers);

		sum += layers * (net->body[b].forward + body_least_backward(&net->body[b]));
		n -= net->body[b].layers;
	}
	return sum;
}

/* Return a layout whose chunks take about the same time, or (EVEN) have the same number of layers. */
static struct equal_pieces
begin(const struct equal_search *w, bool even)
{
	const struct problem *p = w->p;
	int each = p->net->layers / p->stages, at = 0;
	double all = time_before(p->net, p->net->layers);
	struct equal_pieces r = { .more = p->chunks - 1, .last = true };

	for (int v = 0; v < p->chunks; v++) {
		int most = each - at - (p->chunks - 1 - v), n = 1;

		if (even)
			n = each / p->chunks + (v < each % p->chunks);
		else
			while (n < most && time_before(p->net, (double)(at + n) * p->stages) <
			    all * (v + 1) / p->chunks)
				n++;
		r.count[v] = v == p->chunks - 1 ? each - at : n < most ? n : most;
		at += r.count[v];
	}
	return r;
}

/* Return a layout with random numbers of layers. */
static struct equal_pieces
draw(const struct equal_search *w, uint64_t random)
{
	const struct problem *p = w->p;
	struct equal_pieces r = { .more = random_below(&random, p->chunks), .last = random_below(&random, 2) };

	for (int v = 0; v < p->chunks; v++)
		r.count[v] = 1;
	for (int left = p->net->layers / p->stages - p->chunks; left > 0; left--)
		r.count[random_below(&random, p->chunks)]++;
	return r;
}

static bool
find(const struct problem *p, int start, double deadline, int *layers)
{
	struct equal_search w = { .p = p, .left = p->net->layers % p->stages, .plan = candidate_new(p),
		.cost = evaluator_lanes((size_t)p->evaluator.slots), .end = evaluator_lanes(p->evaluator.registers),
		.clock = evaluator_lanes((size_t)p->evaluator.clocks),
		.layers = xcalloc((size_t)p->pieces, sizeof(int)) };
	struct equal_pieces r = start < 2 ? begin(&w, start > 0) : draw(&w, (uint64_t)start);
	bool can;

	w.excess = EXCESS[start % 2];
	descend(&w, &r, deadline);
	lay_out(&w, &r, layers);
	can = candidate_lay_out(p, layers, &w.plan);
	candidate_free(&w.plan);
	free(w.cost);
	free(w.end);
	free(w.clock);
	free(w.layers);
	return can;
}

bool
equal_pieces_find(const struct problem *p, int start, double deadline, int *layers)
{
	/* Every piece begins with one layer. */
	if (p->net->layers / p->stages < p->chunks)
		return false;
	return find(p, start, deadline, layers);
}
