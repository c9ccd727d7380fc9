/* Start: a first plan that fits, from even layers or by greedy filling; or the nearest plan. */
#include "start.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/alloc.h"
#include "lib/base/clock.h"
#include "sapp-lp/bound/path_cuts.h"
#include "sapp-lp/model/tuning.h"
#include "sapp-lp/pattern/recompute_greedy.h"
#include "descent.h"
#include "equal_pieces.h"
#include "greedy.h"
#include "repair.h"

enum {
	QUICK_MOVES = 400000,	/* moves to repair a plan that nearly fits */
	EVEN = 2,		/* number of layouts with even layers */
	OTHERS = EVEN + 1 + EQUAL_PIECES_STARTS,
};
/* maximum relative difference between the steps of other plans and the shortest step */
static const double LONGER = 0.05;
/* Fraction of the time for plans that can be found quickly. */
static const double FIRST_PART = 0.1;

/*
 * Choose the mixes of a plan: each stage's chunks at the same fraction of their fronts, with the least recomputation
 * that fits. Return false if a stage does not fit.
 */
static bool
settle(const struct problem *p, struct candidate *c)
{
	int content[p->chunks], mix[p->chunks];

	for (int s = 0; s < p->stages; s++) {
		candidate_stage(p, c, s, content, NULL);
		if (!recompute_evenly(p, s, content, mix))
			return false;
		candidate_set_mixes(p, c, s, mix);
	}
	return true;
}

/* Return a problem with contents large enough for even layers, regardless of the limits. */
static struct problem
problem_for_any(const struct problem *p)
{
	struct candidate even = candidate_new(p);
	int layers[p->pieces], stage;
	double raise = INFINITY;

	even_layers(p, layers);
	if (candidate_lay_out(p, layers, &even))
		raise = overload(p, &even, &stage);
	candidate_free(&even);
	return problem_wider(p, raise);
}

/* Find a plan by greedy filling. Balancing it may use all the time, because all other searches start from this plan. */
static bool
find_filled(const struct problem *p, double first, double deadline, struct candidate *out)
{
	int *layers = xcalloc((size_t)p->pieces, sizeof *layers), stage;
	bool found = greedy_time(p, deadline, layers) && candidate_lay_out(p, layers, out) &&
	    repair(p, QUICK_MOVES, first, out, &stage) <= MEMORY_SLACK && settle(p, out);

	free(layers);
	return found;
}

/* Return whether a quick test proves that no plan fits. With one chunk per stage the test always decides. */
static bool
hopeless(const struct problem *p, const struct capacity_bound *l)
{
	struct nearest_plan n;
	bool over;

	if (p->chunks > 1)
		return capacity_too_small(l, 0);
	n = nearest_new(p);
	nearest_fill(&n);
	over = (p->least != NULL ? n.e.at_least : n.e.mb) > MEMORY_SLACK;
	nearest_free(&n);
	return over;
}

/* Fully recompute a plan. Its excess may then be larger than the assumed excess. */
static void
recompute_all(const struct problem *p, struct candidate *c, struct excess *e)
{
	int content[p->chunks], mix[p->chunks];

	for (int s = 0; s < p->stages; s++) {
		double over;

		candidate_stage(p, c, s, content, NULL);
		over = stage_least_mixes(p, s, content, mix) - p->limit[s];
		candidate_set_mixes(p, c, s, mix);
		if (over > e->mb) {
			e->mb = over;
			e->stage = s;
		}
	}
}

/* Find the plan nearest to the limits. Return whether it fits. */
static bool
find_nearest(struct problem *p, struct capacity_bound *l, double begun, double deadline, struct candidate *out,
    struct excess *e)
{
	struct problem wide = problem_for_any(p);
	struct nearest_plan n = nearest_new(&wide);
	bool found = false;

	l->p = &wide;
	if (p->chunks == 1)
		nearest_fill(&n);
	if (p->chunks > 1 || (p->least != NULL && !nearest_known(&n)))
		nearest_search(&n, l, begun, deadline);
	*e = n.e;
	l->p = p;
	if (e->mb <= MEMORY_SLACK && candidate_lay_out(p, n.layers, out))
		found = settle(p, out);
	else if (e->mb < INFINITY) {
		candidate_copy(p, out, &n.plan);
		problem_widen(p, &wide);
		found = e->mb <= MEMORY_SLACK && settle(p, out);
	}
	if (!found && e->mb < INFINITY)
		recompute_all(p, out, e);
	nearest_free(&n);
	problem_wider_free(&wide);
	return found;
}

/*
 * Make the N-th candidate layout: even layers by pieces or by stages, layers by memory, or equal pieces in each chunk.
 * Return false if it does not exist.
 */
static bool
other_layout(const struct problem *p, int n, double deadline, int *layers)
{
	if (n == 0)
		even_layers(p, layers);
	else if (n == 1)
		return even_stages(p, layers);
	else if (n == EVEN)
		return greedy_memory(p, layers) < INFINITY;
	else
		return equal_pieces_find(p, n - EVEN - 1, deadline, layers);
	return true;
}

/*
 * Make the plan OUT from a layout, with the least recomputation that fits. If it does not fit, move layers by a short
 * repair. Return false if nothing fits.
 */
static bool
lay_out(const struct problem *p, const int *layers, double deadline, struct candidate *out)
{
	int stage;

	return candidate_lay_out(p, layers, out) && repair(p, QUICK_MOVES, deadline, out, &stage) <= MEMORY_SLACK &&
	    settle(p, out);
}

/* Find a plan near even layers, even after the deadline. So no result is longer than this plan. */
static bool
find_even(const struct problem *p, struct candidate *out)
{
	int layers[p->pieces];
	bool found = false;

	for (int i = 0; i < EVEN && !found; i++)
		found = other_layout(p, i, 0, layers) && lay_out(p, layers, 0, out);
	return found;
}

void
starts_free(struct starts *s)
{
	for (int i = 0; i < s->n; i++)
		candidate_free(&s->plan[i]);
	free(s->plan);
}

/*
 * Insert a plan into the list, which is sorted by step. STEP[s->n + 1], ms: the last entry is the step of the new plan.
 */
static void
starts_add(const struct problem *p, struct starts *s, const struct candidate *c, double *step)
{
	int at = s->n++;
	double own = step[at];

	s->plan = xreallocarray(s->plan, (size_t)s->n, sizeof *s->plan);
	for (; at > 0 && step[at - 1] > own; at--) {
		s->plan[at] = s->plan[at - 1];
		step[at] = step[at - 1];
	}
	step[at] = own;
	s->plan[at] = candidate_new(p);
	candidate_copy(p, &s->plan[at], c);
}

/*
 * Find shorter plans than OUT, which fits. Other layouts may fit after little repair: try some of them even after the
 * deadline, the others until FIRST (s of clock_now()). Keep the shortest plan in OUT. Keep all plans that are not much
 * longer, including OUT, in OTHERS.
 */
static void
take_shorter(const struct problem *p, double first, double deadline, struct candidate *out, struct starts *others)
{
	struct candidate trial = candidate_new(p);
	double step[OTHERS + 1];
	int *layers = xcalloc(OTHERS * (size_t)p->pieces, sizeof *layers);
	int most = tuning.equal_pieces ? OTHERS : EVEN + 1;

	step[0] = candidate_step_time(p, out);
	starts_add(p, others, out, step);
	for (int i = 0; i < most; i++) {
		bool timed = i >= EVEN && i != EVEN + 1, there;
		int *at = layers + i * p->pieces;

		if (timed && !clock_left(i == EVEN ? deadline : first))
			continue;
		there = other_layout(p, i, first, at);
		/* Several starts may lead to the same layout. */
		for (int k = 0; k < i && there; k++)
			there = memcmp(layers + k * p->pieces, at, (size_t)p->pieces * sizeof *at) != 0;
		if (there && lay_out(p, at, first, &trial)) {
			step[others->n] = candidate_step_time(p, &trial);
			/* This layout is nearly the first layout: make it a start only if it is the best. */
			if (i != EVEN - 1 || step[others->n] < step[0])
				starts_add(p, others, &trial, step);
		}
	}
	/* The result of repair is seldom the shortest plan in its neighbourhood. */
	descent_shorter(p, first, &others->plan[0]);
	step[0] = candidate_step_time(p, &others->plan[0]);
	candidate_copy(p, out, &others->plan[0]);
	while (step[others->n - 1] > (1 + LONGER) * step[0])
		candidate_free(&others->plan[--others->n]);
	free(layers);
	candidate_free(&trial);
}

bool
start_find(struct problem *p, double deadline, struct candidate *out, struct excess *e, struct starts *others)
{
	double begun = clock_now(), first = begun + FIRST_PART * (deadline - begun);
	struct capacity_bound l = capacity_bound_new(p);
	struct candidate trial = candidate_new(p);
	bool able = !hopeless(p, &l), found = able && p->chunks > 1 && find_even(p, out);

	if (able && (!found || clock_left(first)) && find_filled(p, first, deadline, &trial)) {
		candidate_copy(p, out, &trial);
		found = true;
	}
	candidate_free(&trial);
	if (!found)
		found = find_nearest(p, &l, begun, deadline, out, e);
	capacity_bound_free(&l);
	if (found && p->chunks > 1)
		take_shorter(p, first, deadline, out, others);
	return found;
}
