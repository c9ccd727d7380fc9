/*
 * Branch and bound by itself, without a plan that is nearly the best to begin with: of all nodes together, however the
 * bounds before it divided them by the borders between kinds of layers, it finds the best plan of all. Node
 * by node the bound never falls: the next node is one with the least bound.
 */
#include "lib/base/clock.h"
#include "lp_random.h"
#include "sapp-lp/bound/bounding.h"
#include "sapp-lp/exact/branch.h"
#include "sapp-lp/heuristic/start.h"
#include "tap.h"

enum { QUESTIONS = 60, PLANS = 3000, NODES = 100000 };
static const double LOOSE = 1.3;	/* the horizon, in least steps: as if only longer plans were known */

static struct tally {
	long asked, several, apart, roots, nodes, open, unlike, above, falls;
} tally;

/* As branch_run() of many nodes. */
static bool
run_each(struct branch *b, int workers, double least)
{
	double bound = 0;
	bool done = false;

	for (int n = 0; n < NODES && !done; n++) {
		double last = bound;

		done = branch_run(b, workers, 1, INFINITY);
		bound = branch_bound(b);
		tally.nodes++;
		tally.falls += bound < last * (1 - 1e-9);
		tally.above += bound > least;
	}
	return done;
}

static void
ask(int n)
{
	struct question q = { .random = RANDOM_ODD * (uint64_t)(n + 1) };
	struct brute brute;
	struct problem p;
	struct excess excess;
	struct starts starts = { 0 };
	struct candidate known;

	question_draw(&q, n, PLANS, &brute);
	if (brute.fitting == 0)
		return;
	p = problem_new(&q.net, &q.shape, &q.devices, (struct list){ q.shape.stages, q.limit }, q.listed);
	if (p.chunks > 1 && n % 3 == 0) {
		p.list_limits.states = 0;
		tally.apart++;
	}
	known = candidate_new(&p);
	if (start_find(&p, clock_now() + 20, &known, &excess, &starts)) {
		struct settings_cache cache = settings_cache_new(&p, true);
		struct bounding b = bounding_new(&p);
		struct patterns patterns;
		struct candidate best = candidate_new(&p);

		b.horizon = LOOSE * brute.step;
		bounding_run(&b, INFINITY);
		patterns = patterns_new(&p, &cache, &b.relaxed.weight, b.horizon, INFINITY);
		if (patterns.complete) {
			struct branch *branch = branch_new(&patterns, &b.tree, &b.relaxed.paths, &known, b.horizon);

			tally.asked++;
			tally.several += b.tree.n > 1;
			tally.roots += b.tree.n;
			tally.open += !(n % 2 ? branch_run(branch, 2, NODES, INFINITY) :
			    run_each(branch, 1, brute.step));
			tally.unlike += fabs(branch_best(branch, &best) - brute.step) > 1e-9 * brute.step;
			tally.above += branch_bound(branch) > brute.step;
			branch_free(branch);
		}
		candidate_free(&best);
		patterns_free(&patterns);
		bounding_free(&b);
		settings_cache_free(&cache);
	}
	starts_free(&starts);
	candidate_free(&known);
	problem_free(&p);
}

int
main(void)
{
	for (int n = 0; n < QUESTIONS; n++)
		ask(n);
	printf("# %ld questions, %ld of them with several nodes to begin with, %ld in all; %ld nodes one by one\n",
	    tally.asked, tally.several, tally.roots, tally.nodes);
	ok(tally.asked > QUESTIONS / 3 && tally.several > QUESTIONS / 20 && tally.apart > QUESTIONS / 20,
	    "questions, some divided before, some with stages apart");
	same(0, tally.open, "branch and bound ends");
	same(0, tally.unlike, "with the best plan of all");
	same(0, tally.above, "and a bound that is not above it");
	same(0, tally.falls, "which never falls");
	return tap_done();
}
