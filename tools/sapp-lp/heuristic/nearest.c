/* Nearest: enumeration of layouts, random walks, and proofs that nothing fits. */
#include "nearest.h"

#include <math.h>
#include <stdlib.h>

#include "lib/base/alloc.h"
#include "lib/base/clock.h"
#include "sapp-lp/exact/layouts.h"
#include "sapp-lp/pattern/pattern_borders.h"
#include "greedy.h"
#include "repair.h"

enum {
	TRIES = 300000,			/* layouts begun in an enumeration of all layouts */
	PROOF_TRIES = 10000000,		/* layouts begun to prove that nothing fits */
	TURN_MOVES = 50000,		/* moves of one walk before the next walk's turn */
	PROOF_TURN = 60,		/* number of the turn in which a proof that nothing fits is tried */
	/* if nothing fits: turns without a better plan after which the walks end */
	STALE_TURNS = 40,
	WALKS = 2,
};
/* Fractions of the time at which each part of the search must have ended. */
static const double PROOF_PART = 0.2;		/* the proof that nothing fits */
static const double EXCESS_PART = 0.6;		/* the search for the least excess, if nothing fits */
static const double LAST_PART = 0.95;		/* the whole search */

struct nearest_plan
nearest_new(const struct problem *p)
{
	return (struct nearest_plan){ .p = p, .e = { .mb = INFINITY, .at_least = -INFINITY }, .plan = candidate_new(p),
		.layers = xcalloc((size_t)p->pieces, sizeof(int)) };
}

void
nearest_free(struct nearest_plan *n)
{
	candidate_free(&n->plan);
	free(n->layers);
}

static void
read_layers(const struct problem *p, const struct candidate *c, int *layers)
{
	for (int i = 0; i < p->pieces; i++)
		layers[i] = p->contents.content[c->content[i]].layers;
}

/* Keep a plan with its layers in model order, if it is nearer. Return whether it is. */
static bool
nearest_take(struct nearest_plan *n, const struct candidate *c)
{
	int stage;
	double mb = overload(n->p, c, &stage);

	if (mb >= n->e.mb)
		return false;
	n->e.mb = mb;
	n->e.stage = stage;
	candidate_copy(n->p, &n->plan, c);
	read_layers(n->p, c, n->layers);
	return true;
}

static bool
nearest_take_layers(struct nearest_plan *n, const int *layers)
{
	struct candidate c = candidate_new(n->p);
	bool nearer = candidate_lay_out(n->p, layers, &c) && nearest_take(n, &c);

	candidate_free(&c);
	return nearer;
}

bool
nearest_known(const struct nearest_plan *n)
{
	return n->e.mb <= fmax(n->e.at_least + excess_close(n->p), MEMORY_SLACK);
}

/* Move the borders between pieces to the nearest allowed borders. */
static void
keep_borders(const struct problem *p, int *layers)
{
	int before = 0, end = 0;

	for (int n = 0; n + 1 < p->pieces; n++) {
		int piece = p->piece[n], low = before + p->fewest[piece], at;
		int high = p->net->layers - needed_behind(p, n);

		end += layers[piece];
		at = end < low ? low : end;
		at = at > high ? high : at;
		if (at > p->block.first && at < p->block.end)
			at = p->block.first >= low ? p->block.first : p->block.end;
		layers[piece] = at - before;
		before = at;
	}
	layers[p->piece[p->pieces - 1]] = p->net->layers - before;
}

static void
set_even(const struct problem *p, int *layers)
{
	int left;

	for (int n = 0; n < p->pieces; n++)
		layers[n] = p->net->layers / p->pieces + (n < p->net->layers % p->pieces);
	if (p->net->layers >= p->pieces)
		return;
	/*
	 * The layers are too few for all pieces. Pieces that need a layer get one, then the first pieces of the model.
	 */
	left = p->net->layers - p->needed[p->pieces];
	for (int n = 0; n < p->pieces; n++) {
		bool more = p->fewest[p->piece[n]] == 0 && left > 0;

		layers[p->piece[n]] = p->fewest[p->piece[n]] + more;
		left -= more;
	}
}

void
even_layers(const struct problem *p, int *layers)
{
	set_even(p, layers);
	if (p->block.end > p->block.first || p->net->at_ends)
		keep_borders(p, layers);
}

bool
even_stages(const struct problem *p, int *layers)
{
	for (int s = 0; s < p->stages; s++) {
		/* The remainder goes to stages 1, 2 and so on, then to stage 0, then to the last stage. */
		int place = s == p->stages - 1 ? s : (s + p->stages - 2) % (p->stages - 1);
		int all = p->net->layers / p->stages + (place < p->net->layers % p->stages);

		for (int v = 0; v < p->chunks; v++) {
			int *n = &layers[v * p->stages + s];

			*n = all / p->chunks + (v >= p->chunks - all % p->chunks);
			if (*n < p->fewest[v * p->stages + s])
				return false;
		}
	}
	if (p->block.end > p->block.first || p->net->at_ends)
		keep_borders(p, layers);
	return true;
}

void
nearest_fill(struct nearest_plan *n)
{
	int layers[n->p->pieces];
	double raise = greedy_memory(n->p, layers), close = excess_close(n->p) / 2;

	if (raise < INFINITY && nearest_take_layers(n, layers) && n->p->chunks == 1)
		n->e.at_least = n->p->least != NULL && n->e.mb > raise + close ? raise - close : n->e.mb;
}

/*
 * Raise the lower bound on the excess by capacities. With one body, improve the plan also, by bisection between bound
 * and plan.
 */
static void
tighten(struct nearest_plan *n, const struct capacity_bound *l, double deadline)
{
	const struct problem *p = n->p;
	int layers[p->pieces];
	double low, raise;

	n->e.at_least = fmax(n->e.at_least, capacity_least_raise(l, n->e.mb, deadline));
	raise = low = n->e.at_least;
	while (p->net->nbodies == 1 && isfinite(low) && n->e.mb - low > excess_close(p) / 2 && n->e.mb > MEMORY_SLACK) {
		if (!capacity_fill(l, raise, layers) || !nearest_take_layers(n, layers))
			low = raise;
		raise = (low + n->e.mb) / 2;
		if (!clock_left(deadline))
			break;
	}
}

/* Try to prove that no plan fits. Enumerate all layouts, or all positions of the borders between bodies. */
static void
prove_none(struct nearest_plan *n, double deadline)
{
	int layers[n->p->pieces];
	double close = excess_close(n->p), mb = close;

	if (pattern_borders_none(n->p, close, deadline)) {
		n->e.at_least = fmax(n->e.at_least, close);
		return;
	}
	if (!layouts_least(n->p, PROOF_TRIES, deadline, MEMORY_SLACK, &mb, layers))
		return;
	if (mb < close)
		nearest_take_layers(n, layers);
	else
		n->e.at_least = fmax(n->e.at_least, mb);
}

/* If nothing fits, raise the lower bound on the excess by bisection up to the least known excess. */
static void
raise_borders(struct nearest_plan *n, double deadline)
{
	double low = n->e.at_least, high = n->e.mb;

	while (low > MEMORY_SLACK && high - low > excess_close(n->p) && clock_left(deadline)) {
		double middle = (low + high) / 2;

		if (pattern_borders_none(n->p, middle, deadline))
			low = middle;
		else
			high = middle;
	}
	n->e.at_least = fmax(n->e.at_least, low);
}

/*
 * Walk from several plans in turns. The limits decide where walks end, but do not influence their moves. If nothing
 * fits, only an excess that is found within the fraction EXCESS_PART of the time is reported. The remaining time is for
 * a plan that fits. A user may raise the limits by the reported excess and plan again. The new search has more time
 * than this excess took, so it finds a fitting plan even on a somewhat slower computer.
 */
static void
walk(struct nearest_plan *n, int walks, struct repair *const repair[], double begun, double deadline)
{
	double seconds = deadline - begun, counted = begun + EXCESS_PART * seconds, last = begun + LAST_PART * seconds;
	struct candidate c = candidate_new(n->p);
	bool none = n->e.at_least > MEMORY_SLACK && n->e.mb < INFINITY;
	/* If nothing fits and the time is over, the nearest known plan suffices. */
	bool more = walks > 0 && (!none || clock_left(deadline));
	int stage;

	for (int turn = 0, stale = 0; more && n->e.mb > MEMORY_SLACK; turn++) {
		bool counts = turn < walks || clock_left(counted), proved = n->e.at_least > MEMORY_SLACK;
		struct repair *w = repair[turn % walks];
		double mb;

		if (turn == PROOF_TURN && !proved) {
			prove_none(n, fmax(begun + PROOF_PART * seconds, clock_now() + PROOF_PART / 2 * seconds));
			proved = n->e.at_least > MEMORY_SLACK;
		}
		repair_run(w, TURN_MOVES, MEMORY_SLACK, counts ? counted : last);
		mb = repair_best(w, &c, &stage);
		stale = mb < n->e.mb ? 0 : stale + 1;
		if (mb < INFINITY && (counts || mb <= MEMORY_SLACK))
			nearest_take(n, &c);
		more = turn + 1 < walks || clock_left(proved ? counted : last);
		more = more && !(proved && stale >= STALE_TURNS * walks);
	}
	candidate_free(&c);
}

/* Enumerate all layouts if they are few enough and enough time is left. */
static void
find_laid_out_least(struct nearest_plan *n, long tries, double deadline)
{
	int layers[n->p->pieces];
	double mb = n->e.mb;
	bool all = layouts_least(n->p, tries, deadline, fmax(n->e.at_least, MEMORY_SLACK), &mb, layers);

	if (mb < n->e.mb)
		nearest_take_layers(n, layers);
	if (all && n->e.mb < INFINITY)
		n->e.at_least = n->p->least != NULL ? fmin(mb, n->e.mb) : n->e.mb;
}

void
nearest_search(struct nearest_plan *n, const struct capacity_bound *l, double begun, double deadline)
{
	const struct problem *p = n->p;
	int layers[WALKS + 1][p->pieces], walks = 0;
	double counted = begun + EXCESS_PART * (deadline - begun);
	struct repair *repair[WALKS];

	even_layers(p, layers[walks]);
	nearest_take_layers(n, layers[walks++]);
	if (greedy_memory(p, layers[walks]) < INFINITY)
		nearest_take_layers(n, layers[walks++]);
	if (p->net->nbodies == 1 && capacity_fill(l, 0, layers[WALKS]))
		nearest_take_layers(n, layers[WALKS]);
	if (!nearest_known(n) && p->net->nbodies == 1)
		tighten(n, l, counted);
	if (!nearest_known(n))
		find_laid_out_least(n, TRIES, counted);
	if (!nearest_known(n) && p->net->nbodies > 1)
		tighten(n, l, counted);
	for (int i = 0; i < walks; i++)
		repair[i] = repair_new(p, layers[i], NULL);
	if (!nearest_known(n))
		walk(n, walks, repair, begun, deadline);
	raise_borders(n, counted);
	if (!nearest_known(n))
		find_laid_out_least(n, PROOF_TRIES, counted);
	for (int i = 0; i < walks; i++)
		repair_free(repair[i]);
}
