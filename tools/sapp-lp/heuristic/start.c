/*
 * Start: a first plan that fits, or the least excess, by lists of patterns where those are short, else by greedy
 * filling.
 */
#include "start.h"

#include <math.h>
#include <stdlib.h>

#include "lib/base/alloc.h"
#include "lib/base/clock.h"
#include "sapp-lp/bound/capacity_bound.h"
#include "greedy.h"
#include "recompute_greedy.h"
#include "repair.h"

/* States of dynamic programming, over all stages, up to which it looks for the least excess. */
enum { LISTED_STATES = 1 << 18 };

/*
 * Choose the mixes of a plan: each stage's chunks by the same share, the least that fits. False: a stage does not
 * fit.
 */
static bool
settle(const struct problem *p, struct candidate *c)
{
	int content[p->chunks], mix[p->chunks];

	for (int s = 0; s < p->stages; s++) {
		for (int v = 0; v < p->chunks; v++)
			content[v] = c->content[v * p->stages + s];
		if (!recompute_evenly(p, s, content, mix))
			return false;
		for (int v = 0; v < p->chunks; v++)
			c->mix[v * p->stages + s] = mix[v];
	}
	return true;
}

/* Half way from now to the deadline, s of clock.h, so that some time is left for what comes after. */
static double
halfway(double deadline)
{
	double now = clock_now();

	return fmin(deadline, now + (deadline - now) / 2);
}

/*
 * Repair from as many layers in every piece: a local search finds another plan from another start. OUT and *E: if
 * better.
 */
static void
even_out(const struct problem *p, double deadline, struct candidate *out, struct excess *e)
{
	struct candidate even = candidate_new(p);
	int *layers = xcalloc((size_t)p->pieces, sizeof *layers), stage;
	double mb;

	for (int i = 0; i < p->pieces; i++)
		layers[i] = p->net->layers / p->pieces + (i < p->net->layers % p->pieces);
	if (candidate_lay_out(p, layers, &even) && (mb = repair(p, halfway(deadline), &even, &stage)) < e->mb) {
		e->mb = mb;
		e->stage = stage;
		candidate_copy(p, out, &even);
	}
	candidate_free(&even);
	free(layers);
}

/*
 * The excess of a greedy plan. With one chunk a stage that is taken for the least there is; with several chunks it is
 * only where repair begins.
 */
static struct excess
excess_dealt(const struct problem *p, double deadline, struct candidate *out)
{
	struct excess e = { .mb = INFINITY, .at_least = -INFINITY };
	int *layers = xcalloc((size_t)p->pieces, sizeof *layers);
	double raise = greedy_memory(p, layers);

	if (raise < INFINITY && candidate_lay_out(p, layers, out)) {
		e.mb = overload(p, out, &e.stage);
		if (p->chunks == 1)
			e.at_least = e.mb = fmax(e.mb, raise);
		else if (p->net->nbodies > 1 && e.mb > MEMORY_SLACK) {
			e.mb = repair(p, halfway(deadline), out, &e.stage);
			even_out(p, deadline, out, &e);
		}
	}
	free(layers);
	return e;
}

/*
 * The least excess by dynamic programming over lists of patterns of at most MOST layers a stage. MOST is raised until
 * the patterns left out would exceed by more than the least found, which is then a lower bound on every plan.
 */
static struct excess
excess_listed(const struct problem *p, double deadline, struct candidate *out)
{
	struct excess e = { .mb = INFINITY, .at_least = -INFINITY };
	struct candidate found = candidate_new(p);
	int most = (p->net->layers + p->stages - 1) / p->stages + 1, stage = 0;
	bool more = true;

	for (; more; most += most / 4 + 1) {
		struct patterns c = patterns_list(p, false, most);
		double least = stage_dp_excess(&c, &found, &stage), larger = c.whole ? INFINITY : -INFINITY;

		/*
		 * A stage with more than MOST layers exceeds its limit by at least as much as its lightest pattern of
		 * MOST.
		 */
		for (int s = 0; s < p->stages && !c.complete; s++)
			for (int i = 0; i < c.n[s]; i++)
				if (c.pattern[s][i].layers == most)
					larger = fmin(larger, stage_least_memory(p, s, c.pattern[s][i].content) - p->limit[s]);
		if (least < e.mb) {
			e.mb = least;
			e.stage = stage;
			candidate_copy(p, out, &found);
		}
		if (least < INFINITY && (c.complete || larger >= least))
			e.at_least = least;
		more = c.whole && !c.complete && most <= p->net->layers && e.at_least == -INFINITY && clock_left(deadline);
		patterns_free(&c);
	}
	candidate_free(&found);
	/* The lower bound does not depend on the layers' order: it holds for what repair finds, too. */
	if (e.mb < INFINITY && !candidate_placed(p, out))
		e.mb = repair(p, deadline, out, &e.stage);
	if (e.mb == INFINITY) {
		struct excess dealt = excess_dealt(p, deadline, out);

		e.mb = dealt.mb;
		e.stage = dealt.stage;
	}
	return e;
}

/* A better lower bound on the excess, by capacities; and with one body better plans, by bisection between the two. */
static void
tighten(const struct problem *p, const struct capacity_bound *l, double deadline, struct candidate *out, struct excess *e)
{
	struct candidate trial = candidate_new(p);
	int *layers = xcalloc((size_t)p->pieces, sizeof *layers);
	double low, raise;

	e->at_least = fmax(e->at_least, capacity_least_raise(l, e->mb, deadline));
	raise = low = fmax(e->at_least, 0);
	while (p->net->nbodies == 1 && e->mb - low > excess_close(p) / 2) {
		double mb;
		int stage;

		if (capacity_fill(l, raise, layers) && candidate_lay_out(p, layers, &trial) &&
		    (mb = overload(p, &trial, &stage)) < e->mb) {
			e->mb = mb;
			e->stage = stage;
			candidate_copy(p, out, &trial);
		} else
			low = raise;
		raise = (low + e->mb) / 2;
		if (!clock_left(deadline))
			break;
	}
	candidate_free(&trial);
	free(layers);
}

static struct excess
find_excess(const struct problem *p, double deadline, struct candidate *out)
{
	bool listed = p->chunks > 1 && patterns_can_list(p) && stage_dp_states(p) * p->stages <= LISTED_STATES;

	return (listed ? excess_listed : excess_dealt)(p, deadline, out);
}

/* A plan from lists of patterns of at most MOST layers a stage, MOST being raised until one is found. */
static bool
find_listed(const struct problem *p, double deadline, struct candidate *out)
{
	int most = (p->net->layers + p->stages - 1) / p->stages + 1, stage;
	bool found = false, last = false;

	for (; !found && !last; most += most / 4 + 1) {
		struct patterns c = patterns_list(p, true, most);

		found = stage_dp_balance(&c, out) &&
		    (candidate_placed(p, out) || repair(p, deadline, out, &stage) <= MEMORY_SLACK) && settle(p, out);
		last = c.complete || most > p->net->layers || !clock_left(deadline);
		patterns_free(&c);
	}
	return found;
}

static bool
find_dealt(const struct problem *p, double deadline, struct candidate *out)
{
	int *layers = xcalloc((size_t)p->pieces, sizeof *layers), stage;
	bool found = greedy_time(p, layers) && candidate_lay_out(p, layers, out) && repair(p, deadline, out, &stage) <= MEMORY_SLACK &&
	    settle(p, out);

	free(layers);
	return found;
}

/* Whether it can be seen quickly that no plan fits. */
static bool
hopeless(const struct problem *p, const struct capacity_bound *l, double deadline, struct candidate *out)
{
	return p->chunks == 1 ? excess_dealt(p, deadline, out).mb > MEMORY_SLACK : capacity_too_small(l, 0);
}

bool
start_find(struct problem *p, double deadline, struct candidate *out, struct excess *e)
{
	struct capacity_bound l = capacity_bound_new(p);
	bool found = !hopeless(p, &l, deadline, out) && (patterns_can_list(p) ? find_listed : find_dealt)(p, deadline, out);

	if (!found) {
		do
			*e = find_excess(p, deadline, out);
		while (e->mb > MEMORY_SLACK && problem_raise(p, e->mb));
		if (p->chunks > 1 && e->mb < INFINITY && e->mb > fmax(e->at_least, MEMORY_SLACK))
			tighten(p, &l, deadline, out, e);
		found = e->mb <= MEMORY_SLACK && settle(p, out);
	}
	for (int i = 0; i < p->pieces && !found && e->mb < INFINITY; i++)
		out->mix[i] = contents_front(&p->contents, out->content[i])->n - 1;
	capacity_bound_free(&l);
	return found;
}
