/* Planner: start, relaxation, search and bound, in turns. */
#include "planner.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "sapp-lp/exact/patterns.h"
#include "lib/base/clock.h"
#include "sapp-lp/exact/branch.h"
#include "sapp-lp/external/external.h"
#include "sapp-lp/bound/relaxation.h"
#include "sapp-lp/heuristic/tempering.h"
#include "lib/base/threads.h"

enum {
	SEARCHES = 2,			/* at a time, one a thread */
	FIRST_TURNS = 40,		/* of search before the proof begins, at most */
	FIRST_STALE = 12,		/* turns without a better plan after which the proof begins */
	LAST_STALE = 300,		/* turns without a better plan after which the search ends */
	NODES_BESIDE = 2,		/* nodes a turn, beside the search */
	NODES_ALONE = 20,		/* nodes a turn on all threads */
	UNLISTED_A_TURN = 1000,		/* contents priced one by one that take the proof about as long as the search's turn */
	TURN_ROUNDS = 200,		/* changes to each replica of a search in one turn, at most, for every piece */
};
static const double SLICE_STEPS = 6e7;	/* simulated operations of a search in one turn */
static const double STEPS_A_WORK = 300;	/* of those in about the time that a unit of the proof's work takes */
static const double OPTIMAL_GAP = 1e-9;	/* what rounding leaves of a closed gap */

struct run {			/* one planning in progress */
	const struct problem *p;
	const struct effort *effort;
	double begun, deadline, shown;
	struct settings_cache cache;
	struct answer answer;
};

static void
show(struct run *r, const char *what)
{
	double now = clock_now();

	if (!r->effort->progress || now - r->shown < 0.5)
		return;
	r->shown = now;
	fprintf(stderr, "%8.3f s  %-9s best %.6g  bound %.6g  gap %.2f %%\n", now - r->begun, what, r->answer.step_time,
	    r->answer.lower_bound, 100 * answer_gap(&r->answer));
}

static void
raise_bound(struct run *r, double bound)
{
	/* Rounding in sums of a few thousand terms stays far below this. */
	bound *= 1 - 1e-12;
	if (bound > r->answer.lower_bound)
		r->answer.lower_bound = fmin(bound, r->answer.step_time);
}

/* One of the two sides that work at the same time, each for a turn of counted work. */
struct side {
	struct tempering *search;	/* either this */
	struct branch *branch;	/* or this */
	long work;
	double deadline;
	bool proved;
};

static void *
take_turn(void *arg)
{
	struct side *side = arg;

	if (side->branch != NULL)
		side->proved = branch_run(side->branch, 1, (int)side->work, side->deadline);
	else
		tempering_run(side->search, side->work, side->deadline);
	return NULL;
}

/* A turn of both sides on a thread each. What they find is exchanged only between turns, so that the same
 * question and seed give the same answer however fast the machine is. */
static void
take_turns(struct side *side, int n)
{
	threads_run(take_turn, side, sizeof *side, n);
}

static bool
time_left(const struct run *r)
{
	return clock_left(r->deadline) && answer_gap(&r->answer) > r->effort->gap &&
	    answer_gap(&r->answer) > OPTIMAL_GAP;
}

static void
exchange(struct run *r, struct tempering *const search[], struct branch *branch)
{
	for (int i = 0; i < SEARCHES; i++)
		if (tempering_best(search[i], NULL) < r->answer.step_time)
			r->answer.step_time = tempering_best(search[i], &r->answer.best);
	if (branch != NULL && branch_best(branch, NULL) < r->answer.step_time)
		r->answer.step_time = branch_best(branch, &r->answer.best);
	for (int i = 0; i < SEARCHES; i++)
		if (tempering_best(search[i], NULL) > r->answer.step_time)
			tempering_take(search[i], &r->answer.best);
	if (branch != NULL) {
		branch_take(branch, r->answer.step_time);
		raise_bound(r, branch_bound(branch));
	}
	raise_bound(r, r->answer.lower_bound);
	contents_shed(&r->p->contents);
}

/* Small problems have few plans: what would be a short turn for large ones is needlessly long for them. */
static long
turn_rounds(const struct problem *p)
{
	return (long)fmin(SLICE_STEPS / LANES / p->evaluator.noperations, TURN_ROUNDS * p->pieces) + 1;
}

/* Two searches side by side, for the first good plan. */
static void
search_first(struct run *r, struct tempering *const search[])
{
	long work = turn_rounds(r->p);
	int stale = 0;

	for (int turn = 0; turn < FIRST_TURNS && stale < FIRST_STALE && time_left(r); turn++) {
		struct side side[SEARCHES];
		double before = r->answer.step_time;

		for (int i = 0; i < SEARCHES; i++)
			side[i] = (struct side){ .search = search[i], .work = work, .deadline = r->deadline };
		take_turns(side, SEARCHES);
		exchange(r, search, NULL);
		stale = r->answer.step_time < before ? 0 : stale + 1;
		show(r, "search");
	}
}

/*
 * One search goes on while the other thread closes the gap from below, each for about as long as the other; when the
 * search finds less, the proof goes on on both threads between; and alone when it finds no more.
 */
static void
prove_and_search(struct run *r, struct tempering *const search[], struct branch *branch)
{
	/* Where contents are priced one by one, so much longer are the proof's turns. */
	double least = (double)turn_rounds(r->p) * (1 + branch_unlisted(branch) / UNLISTED_A_TURN), work = least;
	bool unlisted = branch_unlisted(branch) > 0, proved = false;

	for (int turn = 0, stale = 0; !proved && time_left(r); turn++) {
		double before = r->answer.step_time, worked = branch_work(branch);
		struct side side[] = {
			{ .branch = branch, .work = turn == 0 || unlisted ? 1 : NODES_BESIDE, .deadline = r->deadline },
			{ .search = search[turn % SEARCHES], .work = (long)work, .deadline = r->deadline },
		};

		if (stale < LAST_STALE) {
			take_turns(side, 2);
			proved = side[0].proved;
			exchange(r, search, branch);
			work = fmax(least, (branch_work(branch) - worked) * STEPS_A_WORK / LANES / r->p->evaluator.noperations);
		}
		if (!proved && stale >= (unlisted ? LAST_STALE : FIRST_STALE)) {
			proved = branch_run(branch, BRANCH_WORKERS, NODES_ALONE, r->deadline);
			exchange(r, search, branch);
		}
		stale = r->answer.step_time < before ? 0 : stale + 1;
		show(r, "prove");
		if (branch_stuck(branch) && stale >= LAST_STALE)
			break;
	}
}

/* Without a complete patterns the proof has to stop at the relaxation; all time goes into the search. */
static void
search_on(struct run *r, struct tempering *const search[])
{
	for (int i = 0; i < LAST_STALE / FIRST_STALE && time_left(r); i++)
		search_first(r, search);
}

/* Some stage is busy for at least the mean of all stages' work, every layer in its fastest kind. */
static double
mean_work(const struct problem *p)
{
	const struct network *net = p->net;
	double work = net->head.forward + net->head.backward + net->tail.forward + net->tail.backward;

	for (int b = 0; b < net->nbodies; b++) {
		double least = INFINITY;

		for (int k = 0; k < RECOMPUTE_KINDS; k++)
			if (net->body[b].has[k])
				least = fmin(least, net->body[b].backward[k]);
		work += net->body[b].layers * (net->body[b].forward + least);
	}
	return p->micro * work / p->stages;
}

static double
step_time(const struct problem *p, const struct candidate *c)
{
	struct path_finder f = path_finder_new(p);
	double time;

	candidate_costs(p, c, f.cost);
	time = path_finder_longest(&f);
	path_finder_free(&f);
	return time;
}

/* How fast the searches were, each on its thread: operations of all plans that they simulated. */
static void
show_speed(const struct run *r, struct tempering *const search[])
{
	double seconds = 0, plans = 0;

	for (int i = 0; i < SEARCHES; i++)
		plans += (double)tempering_evaluations(search[i], &seconds);
	if (r->effort->progress && seconds > 0)
		fprintf(stderr, "%8.3f s  searched  %.0f plans, %.1f million operations a second\n", clock_now() - r->begun,
		    plans, plans * r->p->evaluator.noperations / seconds / 1e6);
}

/* Our own search and proof, from a plan that fits. */
static void
solve_here(struct run *r, const struct relaxed *relaxed)
{
	const struct problem *p = r->p;
	struct tempering *search[SEARCHES];
	struct patterns patterns = { 0 };

	for (int i = 0; i < SEARCHES; i++)
		search[i] = tempering_new(p, &r->answer.best, relaxed->rounds ? &relaxed->weight : NULL,
		    r->effort->seed * SEARCHES + (uint64_t)i);
	search_first(r, search);
	if (time_left(r))
		patterns = patterns_new(p, &r->cache, &relaxed->weight, r->answer.step_time, r->deadline);
	raise_bound(r, patterns.bound);
	if (patterns.complete) {
		struct branch *branch = branch_new(&patterns, relaxed, &r->answer.best, r->answer.step_time);

		prove_and_search(r, search, branch);
		r->answer.paths = branch_paths(branch);
		branch_free(branch);
	} else {
		search_on(r, search);
		r->answer.paths = path_cuts_copy(p, &relaxed->paths);
	}
	show_speed(r, search);
	patterns_free(&patterns);
	for (int i = 0; i < SEARCHES; i++)
		tempering_free(search[i]);
}

/* Another solver's; a plan that fits need not be KNOWN. */
static void
solve_elsewhere(struct run *r, const struct relaxed *relaxed, bool known)
{
	struct external *c = external_new(r->p, r->effort->solver, relaxed, known ? &r->answer.best : NULL);
	bool more = true;

	while (more && time_left(r)) {
		more = external_run(c, r->deadline);
		r->answer.step_time = external_best(c, &r->answer.best);
		raise_bound(r, external_bound(c));
		show(r, solver_name(r->effort->solver));
	}
	/* An optimum may be too high by the tolerances of the solver. */
	r->answer.lower_bound = fmin(r->answer.lower_bound, r->answer.step_time);
	r->answer.paths = path_cuts_copy(r->p, external_paths(c));
	external_free(c);
}

double
answer_gap(const struct answer *a)
{
	return a->step_time > a->lower_bound ? a->step_time / a->lower_bound - 1 : 0;
}

struct answer
planner_solve(struct problem *p, const struct effort *effort)
{
	struct run r = { .p = p, .effort = effort, .begun = clock_now(), .cache = settings_cache_new(p) };
	struct answer *a = &r.answer;
	bool known;

	r.deadline = r.begun + effort->seconds;
	a->best = candidate_new(p);
	a->step_time = INFINITY;
	known = start_find(p, r.deadline, &a->best, &a->excess);
	/* Where nothing is known to fit, and nothing is known to forbid it, another solver may tell. */
	if (known || (effort->solver != NULL && a->excess.at_least <= MEMORY_SLACK)) {
		struct relaxed relaxed;

		if (known)
			a->step_time = step_time(p, &a->best);
		raise_bound(&r, mean_work(p));
		show(&r, "start");
		relaxed = relaxation_solve(p, r.begun + 0.4 * effort->seconds);
		raise_bound(&r, relaxed.bound);
		if (effort->solver != NULL)
			solve_elsewhere(&r, &relaxed, known);
		else
			solve_here(&r, &relaxed);
		relaxed_free(&relaxed);
	}
	a->status = a->step_time == INFINITY ? PLAN_INFEASIBLE : answer_gap(a) <= OPTIMAL_GAP ? PLAN_OPTIMAL : PLAN_FEASIBLE;
	settings_cache_free(&r.cache);
	a->seconds = clock_now() - r.begun;
	return *a;
}

void
answer_free(struct answer *a)
{
	candidate_free(&a->best);
	path_cuts_free(&a->paths);
}
