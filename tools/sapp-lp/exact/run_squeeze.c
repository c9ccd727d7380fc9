/* Run squeeze: bisection of the target, and plans made from the runs left. */
#include "run_squeeze.h"

#include <math.h>
#include <stdlib.h>

#include "lib/base/alloc.h"
#include "lib/base/clock.h"
#include "sapp-lp/bound/path_cuts.h"
#include "sapp-lp/model/stage_settings.h"
#include "sapp-lp/pattern/recompute_greedy.h"
#include "runs.h"

enum {
	STAGES_LEAST = 100,
	PLAYS = 16,		/* rounds of fictitious play */
	AIMS = 8,		/* number of targets between bound and plan, plus one */
};
static const double CLOSE = 1e-4;	/* relative difference of targets at which the bisection ends */

struct round {
	struct run_squeeze *q;
	const struct problem *p;
	struct candidate trial;
	struct path_finder finder;
	int *layers;		/* [stages] */
	double deadline;
};

bool
run_squeeze_pays(const struct problem *p)
{
	return p->chunks == 1 && p->stages >= STAGES_LEAST;
}

/*
 * Try the plan of the remaining runs that is shortest under a mean of paths: see runs_least(). Return false if no such
 * plan fits.
 */
static bool
try_rest(struct round *t, const struct visits *weight)
{
	const struct problem *p = t->p;
	bool fits = runs_least(t->q->runs, weight, t->layers) && candidate_lay_out(p, t->layers, &t->trial);

	for (int s = 0; s < p->stages && fits; s++)
		fits = recompute_evenly(p, s, &t->trial.content[s], &t->trial.mix[s]);
	if (!fits || !candidate_fits(p, &t->trial))
		return false;
	candidate_costs(p, &t->trial, t->finder.cost);
	run_squeeze_take(t->q, &t->trial, path_finder_longest(&t->finder));
	return true;
}

/*
 * Fictitious play (Brown 1951): make plans of the remaining runs. Each plan is the best against the mean of the earlier
 * critical paths.
 */
static void
play(struct round *t)
{
	const struct problem *p = t->p;
	struct visits mean = visits_new(p);
	bool more = true;

	candidate_costs(p, &t->q->plan, t->finder.cost);
	path_finder_longest(&t->finder);
	for (int k = 0; k < PLAYS && more && clock_left(t->deadline); k++) {
		for (int i = 0; i < p->evaluator.slots; i++)
			mean.at[i] += (t->finder.path.at[i] - mean.at[i]) * 2 / (k + 2);
		more = try_rest(t, &mean);
	}
	free(mean.at);
}

static void
bisect(struct round *t)
{
	struct run_squeeze *q = t->q;
	double high = q->step_time;

	while (high - q->bound > CLOSE * q->step_time && clock_left(t->deadline)) {
		double target = (q->bound + high) / 2;

		if (runs_none_below(q->runs, target, t->deadline)) {
			q->bound = target;
		} else if (clock_left(t->deadline)) {
			try_rest(t, NULL);
			high = fmin(target, q->step_time);
		}
	}
	for (int i = 1; i < AIMS && clock_left(t->deadline); i++) {
		double target = q->bound + (q->step_time - q->bound) * i / AIMS;

		if (runs_none_below(q->runs, target, t->deadline))
			q->bound = target;
		else
			play(t);
	}
}

struct run_squeeze
run_squeeze_new(const struct problem *p, const struct candidate *plan, double step_time)
{
	struct run_squeeze q = { .p = p, .plan = candidate_new(p), .runs = runs_new(p, step_time),
		.step_time = step_time };

	candidate_copy(p, &q.plan, plan);
	q.done = q.runs == NULL;
	return q;
}

void
run_squeeze_free(struct run_squeeze *q)
{
	candidate_free(&q->plan);
	if (q->runs != NULL)
		runs_free(q->runs);
}

void
run_squeeze_take(struct run_squeeze *q, const struct candidate *plan, double step_time)
{
	if (step_time >= q->step_time || q->runs == NULL)
		return;
	candidate_copy(q->p, &q->plan, plan);
	q->done &= step_time > q->step_time * (1 - CLOSE);
	q->step_time = step_time;
}

void
run_squeeze_run(struct run_squeeze *q, double deadline)
{
	struct round t = { .q = q, .p = q->p, .trial = candidate_new(q->p), .finder = path_finder_new(q->p),
		.layers = xcalloc((size_t)q->p->stages, sizeof *t.layers), .deadline = deadline };

	while (!q->done && clock_left(deadline)) {
		double step = q->step_time, bound = q->bound;

		if (!runs_add_paths(q->runs, &q->plan, deadline))
			break;
		if (runs_prune(q->runs, q->step_time, deadline))
			q->bound = q->step_time;
		bisect(&t);
		q->done = clock_left(deadline) && q->step_time > step * (1 - CLOSE) && q->bound < bound * (1 + CLOSE);
	}
	free(t.layers);
	path_finder_free(&t.finder);
	candidate_free(&t.trial);
}
