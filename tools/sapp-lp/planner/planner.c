/*
 * Planner: it finds a first plan and the relaxation's bound. Then search and proof run in parallel until the gap is
 * closed.
 */
#include "planner.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>

#include "lib/base/clock.h"
#include "sapp-lp/bound/order_bound.h"
#include "sapp-lp/exact/branch.h"
#include "sapp-lp/exact/squeeze.h"
#include "sapp-lp/external/external.h"
#include "sapp-lp/heuristic/start.h"
#include "sapp-lp/model/tuning.h"
#include "sapp-lp/pattern/alternatives.h"
#include "sapp-lp/pattern/patterns.h"
#include "planning.h"

/* Fractions of the time: for the relaxations at first; until branch and bound begins, if it is possible. */
static const double BOUNDING_PART = 0.15, SEARCH_PART = 0.25;
/* Fractions of the time for the search over bottlenecks: before all else; until its first run ends. */
static const double CAPS_FIRST_PART = 0.03, CAPS_PART = 0.12;
/*
 * Number of operations: maximum of the search over bottlenecks, and in one turn of it; simulated by a search in one
 * turn.
 */
static const double CAPS_WORK = 1e9, CAPS_SLICE = 1e7, SEARCH_SLICE = 6e7;
static const double STEPS_A_WORK = 4;	/* operations simulated in about the time of a unit of branch_work() */
static const double LISTED_WORK = 2e7;	/* ns of pricing above which columns are generated instead of listed */
enum {
	TURN_ROUNDS = 200,	/* maximum changes of each replica in one turn, times pieces */
	MANY_PIECES = 16,	/* number of pieces below which turns of a search that a proof follows are shorter */
	FIRST_TURNS = 40,	/* maximum number of turns of search before the proof begins */
	/*
	 * Number of turns without a shorter plan after which the proof begins, after which it gets both threads every
	 * other turn, and after which the search ends.
	 */
	FIRST_STALE = 12, PROOF_STALE = 6, LAST_STALE = 300,
	LARGE = 12000,		/* operations per step from which searches gain more */
	/*
	 * Number of nodes of branch and bound in a turn: approximately, in parallel with a search; on all threads; on
	 * all threads if steps are large.
	 */
	NODES_BESIDE = 2, NODES_ALONE = 20, NODES_ALONE_LARGE = 6,
};

/*
 * Return the number of rounds in a search's turn if nothing but the search can find better plans. The number of
 * operations is fixed, but smaller for small problems, which have few plans.
 */
static long
long_rounds(const struct problem *p)
{
	return (long)fmin(SEARCH_SLICE / LANES / p->evaluator.noperations, (double)TURN_ROUNDS * p->pieces) + 1;
}

/*
 * Return the number of rounds in a search's turn. The proof of a question with few pieces takes less time than some
 * long turns without a shorter plan, so turns are shorter.
 */
static long
turn_rounds(const struct problem *p)
{
	double few = fmin((double)p->pieces / MANY_PIECES, 1);

	return (long)fmin((double)long_rounds(p), few * few * TURN_ROUNDS * p->pieces + 1);
}

/* Return the number of rounds of a search in parallel with longer work. */
static long
first_rounds(const struct problem *p)
{
	return FIRST_STALE * turn_rounds(p);
}

/*
 * Let a side's search run the search over bottlenecks first, if useful. WORK: its maximum; UNTIL: its deadline (s of
 * clock_now()).
 */
static void
widen_search(struct planning *r, struct side *side, double work, double until)
{
	if (r->bottleneck == NULL)
		return;
	bottleneck_take(r->bottleneck, &r->answer.best);
	side->bottleneck = r->bottleneck;
	side->bottlenecks = work;
	side->until = until;
}

/* Return the number of operations that a search simulates in ROUNDS rounds. */
static double
operations_of(const struct problem *p, double rounds)
{
	return rounds * LANES * p->evaluator.noperations;
}

/*
 * Run the searches in turns of WORK rounds until some turns find no better plan, or until UNTIL (s of clock_now()).
 * While the ordered relaxation raises the bound, it replaces one of the searches.
 */
static void
search_first(struct planning *r, struct bounding *b, long work, double until)
{
	int stale = 0;

	for (int turn = 0; r->searches > 0 && turn < FIRST_TURNS && stale < FIRST_STALE &&
	    planning_time_left(r) && clock_left(until); turn++) {
		struct side side[SEARCHES];
		double before = r->answer.step_time;

		for (int i = 0; i < r->searches; i++)
			side[i] = side_new(task_search, r->search[i], (double)work, r->deadline);
		if (turn % 2 == 0)
			widen_search(r, &side[0], CAPS_SLICE, r->deadline);
		b->horizon = planning_horizon(r);
		if (bounding_left(b)) {
			side[0].on = r->search[turn % r->searches];
			side[1] = side_new(task_ordered, b, operations_of(r->p, (double)work), r->deadline);
		}
		take_turns(side, r->searches);
		planning_exchange(r, NULL);
		answer_raise(&r->answer, bounding_bound(b));
		stale = r->answer.step_time < before ? 0 : stale + 1;
		planning_show(r, "search");
	}
}

/*
 * Run branch and bound on one thread and a search on the other, in turns of about equal length. Every other turn the
 * ordered relaxation of B replaces the search, if B is not NULL and may raise the bound. When the search has found
 * nothing for some turns, every other turn is branch and bound on both threads. After many such turns, every turn is.
 */
static void
prove_and_search(struct planning *r, struct branch *branch, struct bounding *b)
{
	double least = (double)turn_rounds(r->p), work = least;
	/* Cost of a search round, in units of branch_work(). */
	double a_round = LANES * r->p->evaluator.noperations / STEPS_A_WORK;
	bool proved = false;

	for (int turn = 0, stale = r->searches > 0 ? 0 : LAST_STALE; !proved && planning_time_left(r); turn++) {
		double before = r->answer.step_time, worked = branch_work(branch);
		long bounded = branch_bounded(branch);
		struct side side[] = {
			side_new(task_branch, branch, work * a_round, r->deadline),
			side_new(task_search, r->search[turn % SEARCHES], work, r->deadline),
		};

		side[0].nodes = turn == 0 ? 1 : INT_MAX;
		if (b != NULL && turn % 2 == 1 && bounding_left(b)) {
			b->horizon = planning_horizon(r);
			side[0] = side_new(task_ordered, b, operations_of(r->p, work), r->deadline);
		}
		if (stale < LAST_STALE) {
			take_turns(side, 2);
			proved = side[0].proved;
			planning_exchange(r, branch);
			if (b != NULL)
				answer_raise(&r->answer, bounding_bound(b));
			/*
			 * Choose the search's work such that both sides end with the last node. With few nodes this is
			 * less exact.
			 */
			bounded = branch_bounded(branch) - bounded;
			worked = branch_work(branch) - worked;
			if (bounded > 0)
				work = fmax(least, NODES_BESIDE * worked / (double)bounded / a_round);
		}
		if (!proved && stale >= PROOF_STALE) {
			proved = branch_run(branch, BRANCH_WORKERS, r->p->evaluator.noperations < LARGE ?
			    NODES_ALONE : NODES_ALONE_LARGE, INFINITY, r->deadline);
			planning_exchange(r, branch);
		}
		stale = r->answer.step_time < before && r->searches > 0 ? 0 : stale + 1;
		planning_show(r, "prove");
		if (branch_stuck(branch) && stale >= LAST_STALE) {
			planning_tell(r, "ends",
			    "no open node can be divided, and the search finds no better plan");
			break;
		}
	}
}

/* Run the turn of OTHER on one thread. On the other thread run ROUNDS rounds of the first search, if any. */
static void
beside_search(struct planning *r, struct side other, long rounds, double deadline)
{
	struct side side[] = { other, side_new(task_search, r->search[0], (double)rounds, deadline) };

	take_turns(side, r->searches > 0 ? 2 : 1);
	planning_exchange(r, NULL);
}

/* For very many stages: drop runs and raise the bound on one thread, and search on the other. */
static void
squeeze_runs(struct planning *r, double deadline)
{
	if (r->runs == NULL || r->runs->done)
		return;
	beside_search(r, side_new(task_runs, r->runs, 0, deadline), first_rounds(r->p), deadline);
	planning_show(r, "runs");
}

/*
 * Run the ordered relaxation and a search in parallel turns of equal length. BRIEFLY, before branch and bound: run them
 * only while the bound rises, because the relaxation may never converge fully.
 */
static void
order_beside_search(struct planning *r, struct bounding *b, double until, bool briefly)
{
	long work = turn_rounds(r->p);

	while (bounding_left(b) && planning_time_left(r) && clock_left(until) &&
	    !(briefly && bounding_slow(b))) {
		beside_search(r, side_new(task_ordered, b, operations_of(r->p, (double)work), until), work, until);
		answer_raise(&r->answer, bounding_bound(b));
		b->horizon = planning_horizon(r);
		planning_show(r, "bound");
	}
}

/* Run branch and bound with generated patterns, in parallel with the rest of the ordered relaxation. */
static void
generate(struct planning *r, struct bounding *b)
{
	struct root root = bounding_root(b);
	struct patterns patterns = patterns_generated(r->p, root.weight, planning_horizon(r), r->deadline);
	struct branch *branch = branch_new(&patterns, &root, &b->relaxed.paths, &r->answer.best, planning_horizon(r));

	planning_tell(r, "prove", "branch and price: columns are generated, as there are too many to enumerate");
	prove_and_search(r, branch, b);
	if (r->effort->paths)
		r->answer.paths = branch_paths(branch);
	branch_free(branch);
	patterns_free(&patterns);
	order_beside_search(r, b, r->deadline, false);
}

/* Continue only the searches, because branch and bound is impossible without a complete set of patterns. */
static void
search_on(struct planning *r, struct bounding *b)
{
	planning_tell(r, "bound", r->runs != NULL ? "only fixing runs of layers can raise the bound further" :
	    "from the relaxations alone, as there are too many patterns for branch and bound");
	for (int i = 0; i < LAST_STALE / FIRST_STALE && planning_time_left(r); i++) {
		squeeze_runs(r, r->deadline);
		search_first(r, b, long_rounds(r->p), r->deadline);
	}
	order_beside_search(r, b, r->deadline, false);
	if (planning_time_left(r))
		planning_tell(r, "ends",
		    "the search finds no better plan, and no method is left to raise the bound");
}

/* Create a search. One search starts from the best plan, the other also from plans with other layouts. */
static struct tempering *
search_new(const struct planning *r, const struct bounding *b, int number)
{
	const struct candidate *start[LANES] = { &r->answer.best };
	int n = 1;

	if (number > 0 && r->bottleneck != NULL)
		n += bottleneck_plans(r->bottleneck, LANES - n, &start[n]);
	for (; n < LANES; n++)
		start[n] = number > 0 && r->starts.n > 0 ? &r->starts.plan[n % r->starts.n] : start[0];
	return tempering_new(r->p, start, b->relaxed.paths.n > 0 ? &b->relaxed.weight : NULL, &b->relaxed.paths,
	    r->effort->seed * SEARCHES + (uint64_t)number);
}

/*
 * Search over bottlenecks for a part of the time, with several chunks and kinds only. Later phases start from the plan
 * found.
 */
static void
find_bottlenecks(struct planning *r)
{
	const struct problem *p = r->p;

	if (!tuning.caps || p->chunks == 1 || p->net->nbodies == 1 || r->effort->proof_only ||
	    r->effort->solver != NULL || !bottleneck_can(p))
		return;
	r->bottleneck = bottleneck_new(p, &r->answer.best);
	bottleneck_run(r->bottleneck, CAPS_WORK,
	    fmin(clock_now() + CAPS_FIRST_PART * r->effort->seconds, r->deadline));
	r->answer.step_time = candidate_step_time(p, bottleneck_best(r->bottleneck));
	candidate_copy(p, &r->answer.best, bottleneck_best(r->bottleneck));
	planning_show(r, "chunks");
}

/*
 * Run the relaxation on one thread. On the other, search over bottlenecks, then run a search. Afterwards run the
 * ordered relaxation in parallel with a search.
 */
static void
bound_first(struct planning *r, struct bounding *b)
{
	int searches = !tuning.search || r->effort->proof_only || r->effort->solver != NULL ? 0 : SEARCHES;
	double until = r->begun + BOUNDING_PART * r->effort->seconds;
	/* On a busy machine the search's work takes longer; without this limit the proof would never begin. */
	struct side side[] = {
		side_new(task_relaxation, b, operations_of(r->p, (double)first_rounds(r->p)), until),
		side_new(task_search, NULL, (double)first_rounds(r->p),
		    r->begun + SEARCH_PART * r->effort->seconds),
	};

	if (searches > 0)
		side[1].on = r->search[r->searches++] = search_new(r, b, 0);
	squeeze_runs(r, until);
	b->horizon = planning_horizon(r);
	if (bounding_can(r->p))
		planning_tell(r, "bound", "for part of the time, the relaxations run in parallel with a search");
	widen_search(r, &side[1], CAPS_WORK, r->begun + CAPS_PART * r->effort->seconds);
	take_turns(side, searches > 0 ? 2 : 1);
	planning_exchange(r, NULL);
	answer_raise(&r->answer, bounding_bound(b));
	b->horizon = planning_horizon(r);
	order_beside_search(r, b, until, true);
	while (r->searches < searches) {
		r->search[r->searches] = search_new(r, b, r->searches);
		r->searches++;
	}
	planning_show(r, "bound");
}

/* Drop patterns and raise the bound on one thread, and search on the other. */
static void
squeeze(struct planning *r, struct patterns *patterns, const struct visits *weight)
{
	struct candidate known = candidate_new(r->p);
	struct squeeze q = { .patterns = patterns, .weight = weight, .known = &known, .horizon = planning_horizon(r),
		.bound = r->answer.lower_bound, .deadline = r->deadline };

	candidate_copy(r->p, &known, &r->answer.best);
	beside_search(r, side_new(task_squeeze, &q, 0, r->deadline), first_rounds(r->p), r->deadline);
	answer_raise(&r->answer, patterns_proved(r->p, q.bound, r->p->stages));
	planning_show(r, "squeeze");
	candidate_free(&known);
}

/* Search and prove, starting from the plan in r->answer, which fits. */
static void
solve_here(struct planning *r, struct bounding *b)
{
	const struct problem *p = r->p;
	struct patterns patterns = { 0 };
	bool listed;

	search_first(r, b, turn_rounds(r->p), r->begun + SEARCH_PART * r->effort->seconds);
	if (planning_time_left(r) && bounding_can(p))
		patterns = patterns_new(p, &r->cache, &b->relaxed.weight, planning_horizon(r), r->deadline);
	answer_raise(&r->answer, patterns_proved(p, patterns.bound, b->relaxed.paths.n));
	if (tuning.fixing && patterns.complete && p->chunks == 1 && planning_time_left(r) &&
	    squeeze_pays(&patterns))
		squeeze(r, &patterns, &b->relaxed.weight);
	listed = patterns.complete && (patterns_work(&patterns) < LISTED_WORK || !alternatives_can(p));
	if (listed) {
		/*
		 * The root does not use the ordered relaxation's bound: the rounding of its many rounds would keep a
		 * proof from closing the last 1e-9.
		 */
		struct root root = { b->relaxed.bound, &b->relaxed.weight, 0 };
		struct branch *branch = branch_new(&patterns, &root, &b->relaxed.paths, &r->answer.best,
		    planning_horizon(r));

		prove_and_search(r, branch, NULL);
		if (r->effort->paths)
			r->answer.paths = branch_paths(branch);
		branch_free(branch);
	} else {
		if (planning_time_left(r))
			(bounding_can(p) && alternatives_can(p) ? generate : search_on)(r, b);
		if (r->effort->paths && r->answer.paths.n == 0)
			r->answer.paths = path_cuts_copy(p, &b->relaxed.paths);
	}
	planning_show_speed(r);
	patterns_free(&patterns);
	for (int i = 0; i < r->searches; i++)
		tempering_free(r->search[i]);
}

/* Plan with another solver. KNOWN: r->answer has a plan that fits. */
static void
solve_elsewhere(struct planning *r, const struct relaxed *relaxed, bool known)
{
	struct external *c = external_new(r->p, r->effort->solver, relaxed, known ? &r->answer.best : NULL);
	double ours = r->answer.lower_bound;
	bool more = true;

	while (more && planning_time_left(r)) {
		more = external_run(c, r->deadline);
		r->answer.step_time = external_best(c, &r->answer.best);
		/* The solver's tolerances may invalidate its bound, but not the planner's own. */
		r->answer.lower_bound = ours;
		answer_raise(&r->answer, external_bound(c));
		planning_show(r, solver_name(r->effort->solver));
	}
	if (r->effort->paths)
		r->answer.paths = path_cuts_copy(r->p, external_paths(c));
	external_free(c);
}

/*
 * Improve the plan, if one is KNOWN, and the bound. First search over bottlenecks, then drop runs of layers, solve
 * relaxations in parallel with a search, and run branch and bound.
 */
static void
improve(struct planning *r, struct bounding *b, bool known)
{
	struct run_squeeze runs;

	find_bottlenecks(r);
	if (known && tuning.run_fixing && run_squeeze_pays(r->p)) {
		runs = run_squeeze_new(r->p, &r->answer.best, r->answer.step_time);
		r->runs = &runs;
	}
	bound_first(r, b);
	if (r->effort->solver != NULL)
		solve_elsewhere(r, &b->relaxed, known);
	else
		solve_here(r, b);
	if (r->bottleneck != NULL)
		bottleneck_free(r->bottleneck);
	if (r->runs != NULL)
		run_squeeze_free(r->runs);
}

struct answer
planner_solve(struct problem *p, const struct effort *effort)
{
	struct planning r = { .p = p, .effort = effort, .begun = clock_now(), .cache = settings_cache_new(p, true) };
	struct answer *a = &r.answer;
	bool known;

	r.deadline = r.begun + effort->seconds;
	a->best = candidate_new(p);
	a->step_time = INFINITY;
	known = effort->known != NULL || start_find(p, r.deadline, &a->best, &a->excess, &r.starts);
	if (effort->known != NULL)
		candidate_copy(p, &a->best, effort->known);
	/* If no plan is known, but it is not proved that none exists, another solver may find one. */
	if (known || (effort->solver != NULL && a->excess.at_least <= MEMORY_SLACK)) {
		struct bounding b = bounding_new(p);

		if (known)
			a->step_time = candidate_step_time(p, &a->best);
		answer_raise(&r.answer, order_bound(p));
		r.answer.told = effort->bound;
		answer_raise(&r.answer, effort->bound);
		planning_show(&r, "start");
		/*
		 * The first plan may suffice. But certificates and other solvers need more, and given bounds may be
		 * false.
		 */
		if (effort->paths || effort->solver != NULL || effort->bound > 0 || answer_gap(a) > effort->gap)
			improve(&r, &b, known);
		bounding_free(&b);
	}
	answer_grade(a);
	starts_free(&r.starts);
	settings_cache_free(&r.cache);
	a->seconds = clock_now() - r.begun;
	return *a;
}
