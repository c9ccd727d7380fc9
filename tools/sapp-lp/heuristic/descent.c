/*
 * Descent: moves are tried in order. The plans of several moves are simulated at once, and the best of them is taken.
 */
#include "descent.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/alloc.h"
#include "lib/base/clock.h"
#include "lib/base/sorted.h"
#include "sapp-lp/bound/path_cuts.h"
#include "sapp-lp/pattern/recompute_greedy.h"
#include "nearest.h"

static const double WORK = 2e8, SHORTER_WORK = 3e7;	/* maximum number of operations simulated */
/* number of operations simulated to make a plan shorter even after the deadline */
static const double UNTIMED = 1e6;
/* number of operations simulated in about the time of making a piece of a trial */
static const double A_TRIAL = 40;
static const double LOWER = 0.01;	/* relative reduction of the highest peak that justifies a longer step */

struct plainness {
	int different;		/* number of different pieces */
	double peak;		/* highest peak, relative to its limit; INFINITY: the plan does not fit */
};

/* A piece and its work, ms per micro-batch. */
struct worked {
	int piece;
	double ms;
};
ORDER_BY(longest_first, struct worked, -it->ms, it->piece)

struct descent {
	const struct problem *p;
	bool plain;		/* true: search for plainer plans; false: for shorter plans */
	/* longest: ms, maximum step of an accepted plan; work: number of operations simulated */
	double longest, work;
	struct worked *order;	/* [pieces], sorted by work, longest first */
	int *layers, *trial_layers;	/* [pieces] */
	struct candidate best, trial;
	struct plainness is;		/* plainness of the best plan */
	int n;				/* number of trials that wait for simulation, at most LANES */
	struct candidate waiting[LANES];
	struct plainness of[LANES];
	struct lanes *cost, *end, *clock;
};

static bool
plainer(struct plainness a, struct plainness b)
{
	return a.peak < INFINITY && (a.different != b.different ? a.different < b.different : a.peak < b.peak);
}

static int
different_pieces(const struct problem *p, const struct candidate *c)
{
	int n = 0, first[p->pieces];

	for (int i = 0; i < p->pieces; i++) {
		bool known = false;

		for (int k = 0; k < n && !known; k++)
			known = c->content[first[k]] % p->contents.each == c->content[i] % p->contents.each &&
			    c->mix[first[k]] == c->mix[i];
		if (!known)
			first[n++] = i;
	}
	return n;
}

static struct plainness
plainness(const struct problem *p, const struct candidate *c)
{
	struct plainness r = { different_pieces(p, c), 0 };
	int content[CHUNKS_MAX], mix[CHUNKS_MAX];

	for (int s = 0; s < p->stages; s++) {
		double peak;

		candidate_stage(p, c, s, content, mix);
		peak = stage_peak(p, s, content, mix);
		r.peak = fmax(r.peak, peak > p->limit[s] + MEMORY_SLACK ? INFINITY : peak / fmax(p->limit[s], 1));
	}
	return r;
}

static void
take_best(struct descent *w)
{
	const struct problem *p = w->p;

	for (int i = 0; i < p->pieces; i++) {
		const struct content *c = &p->contents.content[w->best.content[i]];
		struct times t = piece_times(p, i, c, problem_mix(p, w->best.content[i], w->best.mix[i]));

		w->layers[i] = c->layers;
		w->order[i] = (struct worked){ i, p->pace[i % p->stages] * (t.forward + t.backward) };
	}
	SORT(w->order, p->pieces, longest_first);
}

/*
 * Simulate the waiting trials. If plainer plans are wanted, the plainest trial that is short enough becomes the best
 * plan, otherwise the shortest trial.
 */
static bool
take_waiting(struct descent *w)
{
	const struct problem *p = w->p;
	double cost[p->evaluator.slots];
	struct lanes step;
	double longest = w->longest;
	int best = -1;

	for (int l = 0; l < w->n; l++) {
		candidate_costs(p, &w->waiting[l], cost);
		for (int i = 0; i < p->evaluator.slots; i++)
			w->cost[i].at[l] = cost[i];
	}
	if (w->n > 0)
		step = evaluator_run(&p->evaluator, w->cost, w->end, w->clock);
	w->work += w->n > 0 ? (double)LANES * p->evaluator.noperations : 0;
	for (int l = 0; l < w->n; l++)
		if (w->plain ? step.at[l] <= longest && plainer(w->of[l], best < 0 ? w->is : w->of[best]) :
		    step.at[l] < longest * (1 - OPTIMAL_GAP)) {
			best = l;
			longest = w->plain ? longest : step.at[l];
		}
	w->n = 0;
	if (best < 0)
		return false;
	w->is = w->of[best];
	w->longest = longest;
	candidate_copy(p, &w->best, &w->waiting[best]);
	take_best(w);
	return true;
}

/*
 * Queue the trial if it may be better than the best plan. When shorter plans are wanted, the trial always fits. Return
 * whether the best plan has changed.
 */
static bool
consider(struct descent *w)
{
	struct plainness is = w->plain ? plainness(w->p, &w->trial) : w->is;

	w->work += A_TRIAL * w->p->pieces;
	if (w->plain && !plainer(is, w->is))
		return false;
	w->of[w->n] = is;
	candidate_copy(w->p, &w->waiting[w->n++], &w->trial);
	return w->n == LANES && take_waiting(w);
}

/*
 * Make the trial plan from its layers. Pieces with unchanged contents are recomputed as in the best plan, other pieces
 * as little as fits.
 */
static bool
lay_out_trial(struct descent *w)
{
	const struct problem *p = w->p;
	double value[CHUNKS_MAX];

	if (!candidate_lay_out(p, w->trial_layers, &w->trial))
		return false;
	for (int v = 0; v < p->chunks; v++)
		value[v] = 1;
	for (int s = 0; s < p->stages; s++) {
		int content[CHUNKS_MAX], mix[CHUNKS_MAX];
		bool same = true;

		candidate_stage(p, &w->trial, s, content, NULL);
		for (int v = 0; v < p->chunks; v++) {
			int at = v * p->stages + s, n = contents_front(&p->contents, content[v])->n;

			same &= content[v] == w->best.content[at];
			mix[v] = w->best.mix[at] < n ? w->best.mix[at] : n - 1;
		}
		if (!same && !recompute_from(p, s, content, value, mix))
			return false;
		candidate_set_mixes(p, &w->trial, s, mix);
	}
	return true;
}

static bool
move_layer(struct descent *w, int from, int to)
{
	memcpy(w->trial_layers, w->layers, (size_t)w->p->pieces * sizeof *w->layers);
	w->trial_layers[from]--;
	w->trial_layers[to]++;
	return lay_out_trial(w) && consider(w);
}

static bool
recompute_alike(struct descent *w, int piece, int like)
{
	if (w->best.content[piece] != w->best.content[like] || w->best.mix[piece] == w->best.mix[like])
		return false;
	candidate_copy(w->p, &w->trial, &w->best);
	w->trial.mix[piece] = w->best.mix[like];
	return consider(w);
}

/* Try all moves once. Return whether the best plan has changed. */
static bool
descend_once(struct descent *w, double deadline)
{
	double once = (double)LANES * w->p->evaluator.noperations;
	int n = w->p->pieces;

	for (int i = 0; i < n; i++)
		for (int k = n - 1; k >= 0; k--) {
			int from = w->order[i].piece, to = w->order[k].piece;

			if (w->work > (w->plain ? WORK : SHORTER_WORK) ||
			    ((w->plain || w->work + once > UNTIMED) && !clock_left(deadline)))
				return false;
			if (i != k && ((w->plain && recompute_alike(w, from, to)) ||
			    (w->layers[from] > w->p->fewest[from] && move_layer(w, from, to))))
				return true;
		}
	return take_waiting(w);
}

/* Start from even layers if they are plainer. */
static void
begin_even(struct descent *w)
{
	even_layers(w->p, w->trial_layers);
	if (lay_out_trial(w))
		consider(w);
	if (even_stages(w->p, w->trial_layers) && lay_out_trial(w))
		consider(w);
	take_waiting(w);
}

static struct descent
descent_new(const struct problem *p, bool plain, double longest, const struct candidate *plan)
{
	const struct evaluator *e = &p->evaluator;
	struct descent w = { .p = p, .plain = plain, .longest = longest, .best = candidate_new(p),
		.trial = candidate_new(p), .cost = evaluator_lanes((size_t)e->slots),
		.end = evaluator_lanes(e->registers), .clock = evaluator_lanes((size_t)e->clocks) };

	w.order = xcalloc((size_t)p->pieces, sizeof *w.order);
	w.layers = xcalloc((size_t)p->pieces, sizeof *w.layers);
	w.trial_layers = xcalloc((size_t)p->pieces, sizeof *w.trial_layers);
	for (int l = 0; l < LANES; l++)
		w.waiting[l] = candidate_new(p);
	candidate_copy(p, &w.best, plan);
	take_best(&w);
	return w;
}

static void
descent_free(struct descent *w)
{
	for (int l = 0; l < LANES; l++)
		candidate_free(&w->waiting[l]);
	candidate_free(&w->best);
	candidate_free(&w->trial);
	free(w->order);
	free(w->layers);
	free(w->trial_layers);
	free(w->cost);
	free(w->end);
	free(w->clock);
}

void
descent_shorter(const struct problem *p, double deadline, struct candidate *plan)
{
	struct descent w = descent_new(p, false, candidate_step_time(p, plan), plan);

	while (descend_once(&w, deadline))
		;
	candidate_copy(p, plan, &w.best);
	descent_free(&w);
}

bool
descent_plainer(const struct problem *p, double longest, double deadline, struct candidate *plan)
{
	struct descent w = descent_new(p, true, longest, plan);
	struct plainness was = w.is = plainness(p, plan);
	bool changed;

	begin_even(&w);
	while (descend_once(&w, deadline))
		;
	changed = w.is.different < was.different || (w.is.different == was.different &&
	    w.is.peak < (1 - LOWER) * was.peak);
	if (changed)
		candidate_copy(p, plan, &w.best);
	descent_free(&w);
	return changed;
}
