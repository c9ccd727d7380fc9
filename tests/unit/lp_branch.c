/*
 * Branch and bound alone, without a nearly optimal first plan: it must find the best plan from the bound of either
 * relaxation. The bound must never fall from node to node, as the next node is always one with the least bound.
 */
#include "lib/base/clock.h"
#include "lp_random.h"
#include "sapp-lp/bound/bounding.h"
#include "sapp-lp/exact/branch.h"
#include "sapp-lp/exact/pseudo_costs.h"
#include "sapp-lp/pattern/alternatives.h"
#include "sapp-lp/pattern/node_bounds.h"
#include "sapp-lp/pattern/stage_dp.h"
#include "sapp-lp/pattern/decoupled.h"
#include "sapp-lp/heuristic/start.h"
#include "sapp-lp/model/tuning.h"
#include "tap.h"

enum { QUESTIONS = 120, PLANS = 3000, NODES = 100000 };
static const double LOOSE = 1.3;	/* horizon / least step, as if only longer plans were known */

static struct tally {
	long asked, several, nodes, open, unlike, above, falls, many;
	long compared, more, dropped;
	double part;
	long generated, priced, none, dearer, cheaper;
} tally;

/* Run branch_run() repeatedly for one node, limited by number or by work. */
static bool
run_each(struct branch *b, int workers, double least)
{
	double bound = 0;
	bool done = false;

	for (int n = 0; n < NODES && !done; n++) {
		double last = bound;
		long bounded = branch_bounded(b);

		done = n % 2 ? branch_run(b, workers, NODES, 1e-9, INFINITY) :
		    branch_run(b, workers, 1, INFINITY, INFINITY);
		tally.many += branch_bounded(b) - bounded > workers;
		bound = branch_bound(b);
		tally.nodes++;
		tally.falls += bound < last * (1 - 1e-9);
		tally.above += bound > least;
	}
	return done;
}

/*
 * The bound of decoupled stages must not exceed the best step, must be near the bound RELAXED for the same mean of
 * paths, and must drop no pattern of a best plan.
 */
static void
compare(struct patterns *c, const struct visits *weight, double relaxed, double least)
{
	double price[BODIES], bound;

	decoupled_find_price(c, weight, 2 * least, price);
	bound = decoupled_bound(c, weight, price, NULL);
	tally.compared++;
	tally.more += bound > least;
	tally.part += bound / relaxed;
	decoupled_trim(c, weight, price, least * (1 + 1e-9));
	tally.dropped += decoupled_bound(c, weight, price, NULL) > least;
	/* Use any prices. */
	for (int b = 0; b < c->problem->net->nbodies; b++)
		price[b] *= b % 2 ? -1 : 0.7;
	tally.more += decoupled_bound(c, weight, price, NULL) > least;
}

/* Draw some ranges of a node, which are sometimes empty. */
static struct node_bounds
draw_bounds(const struct problem *p, const struct candidate *known, uint64_t *random)
{
	struct node_bounds b = node_bounds_new(p, NULL);

	for (int i = 0; i < p->pieces; i++) {
		int layers = p->contents.content[known->content[i]].layers, stage = i % p->stages;
		const struct mix *m = problem_mix(p, known->content[i], known->mix[i]);

		switch (random_below(random, 16)) {
		case 0:
			b.layers[i].low = layers;
			break;
		case 1:
			b.layers[i].high = layers;
			break;
		case 2:
			b.total[stage].high = random_below(random, 4) + stage_fewest(p, stage);
			break;
		case 3:
			b.total[stage].low = 1 + random_below(random, 4);
			break;
		case 4:
			*(random_below(random, 2) == 0 ? &b.backward[i].low : &b.backward[i].high) = m->backward;
			break;
		}
	}
	return b;
}

/*
 * Patterns generated during pricing must have the same prices as listed ones, for any ranges of a node. Lists omit
 * patterns whose chunks are not in model order.
 */
static void
compare_generated(const struct problem *p, const struct visits *weight, double horizon, const struct candidate *known,
    uint64_t *random)
{
	struct settings_cache cache = settings_cache_new(p, true);
	struct patterns listed = patterns_new(p, &cache, weight, horizon, INFINITY);
	struct patterns generated = patterns_generated(p, weight, horizon, INFINITY);
	double price[BODIES];

	for (int i = 0; i < 6 && listed.complete; i++) {
		struct node_bounds b = i > 0 ? draw_bounds(p, known, random) : node_bounds_new(p, NULL);
		struct patterns of[] = { patterns_within(&listed, &b), patterns_within(&generated, &b) };
		double sum[2];

		for (int k = 0; k < p->net->nbodies; k++)
			price[k] = generated.price[k] * (0.5 + random_unit(random));
		for (int k = 0; k < 2; k++) {
			sum[k] = decoupled_bound(&of[k], weight, price, NULL);
			patterns_free(&of[k]);
		}
		tally.priced++;
		tally.none += sum[0] == INFINITY;
		tally.dearer += sum[1] > sum[0] * (1 + 1e-9);
		tally.cheaper += sum[1] < sum[0] * (1 - 1e-9);
		node_bounds_free(&b);
	}
	patterns_free(&listed);
	patterns_free(&generated);
	settings_cache_free(&cache);
}

static void
test_pseudo_costs(void)
{
	struct pseudo_costs c = pseudo_costs_new(3);

	ok(!pseudo_costs_known(&c), "pseudo-costs: nothing is known at first");
	pseudo_costs_add(&c, 0, false, 4, 0.5);
	ok(!pseudo_costs_known(&c), "nor of one side alone");
	pseudo_costs_add(&c, 0, true, 2, 0.5);
	ok(pseudo_costs_known(&c), "but of both");
	near(8 * 0.5 * 4 * 0.25, pseudo_costs_score(&c, 0, 0.5, 0.25), 1e-12, "the product of both gains");
	near(8 * 4, pseudo_costs_score(&c, 1, 1, 1), 1e-12, "as the others' where it was not tried");
	pseudo_costs_add(&c, 2, false, 0, 1);
	near(4 * 4, pseudo_costs_score(&c, 1, 1, 1), 1e-12, "by their mean");
	near(8 * 4, pseudo_costs_score(&c, 0, 1, 1), 1e-12, "which is not that of one that was");
	ok(pseudo_costs_score(&c, 2, 1, 1) > 0 && pseudo_costs_score(&c, 2, 1, 1) < 1e-6,
	    "hardly anything without a gain");
	pseudo_costs_free(&c);
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
	known = candidate_new(&p);
	if (start_find(&p, clock_now() + 20, &known, &excess, &starts)) {
		struct settings_cache cache = settings_cache_new(&p, true);
		struct bounding b = bounding_new(&p);
		struct patterns patterns;
		struct candidate best = candidate_new(&p);

		b.horizon = LOOSE * brute.step;
		bounding_begin(&b, INFINITY);
		if (bounding_left(&b))
			bounding_run(&b, 1e12, INFINITY);
		/* Otherwise patterns that are in no plan are dropped. */
		if (alternatives_can(&p) && n % 3 == 0)
			compare_generated(&p, &b.relaxed.weight, 4 * brute.step, &known, &q.random);
		if (alternatives_can(&p) && n % 3 == 1) {
			patterns = patterns_generated(&p, &b.relaxed.weight, b.horizon, INFINITY);
			tally.generated++;
		} else
			patterns = patterns_new(&p, &cache, &b.relaxed.weight, b.horizon, INFINITY);
		if (patterns.complete) {
			struct root best_root = bounding_root(&b), root = { b.relaxed.bound, &b.relaxed.weight, 0 };
			struct branch *branch = branch_new(&patterns, n % 2 == 0 ? &best_root : &root, &b.relaxed.paths,
			    &known, b.horizon);

			tuning.spare_paths = n % 4 < 2 ? 0 : 20000;
			tally.asked++;
			tally.several += best_root.terms > 0;
			tally.open += !(n % 2 ? branch_run(branch, 2, NODES, INFINITY, INFINITY) :
			    run_each(branch, 1, brute.step));
			tally.unlike += fabs(branch_best(branch, &best) - brute.step) > 1e-9 * brute.step;
			tally.above += branch_bound(branch) > brute.step;
			branch_free(branch);
			if (p.chunks > 1 && patterns.alternatives == NULL && b.relaxed.bound > 0)
				compare(&patterns, &b.relaxed.weight, b.relaxed.bound, brute.step);
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
	test_pseudo_costs();
	for (int n = 0; n < QUESTIONS; n++)
		ask(n);
	printf("# %ld questions, %ld with a bound of the ordered relaxation to begin with; %ld nodes one by one\n",
	    tally.asked, tally.several, tally.nodes);
	ok(tally.asked > QUESTIONS / 3 && tally.several > QUESTIONS / 40, "questions, some with a bound by layouts");
	same(0, tally.open, "branch and bound ends");
	same(0, tally.unlike, "with the best plan of all");
	same(0, tally.above, "and a bound that is not above it");
	same(0, tally.falls, "which never falls");
	same(0, tally.many, "and no more nodes than asked for");
	printf("# decoupled stages %ld times, at %.4f of the relaxation's bound in the mean\n", tally.compared,
	    tally.part / (double)tally.compared);
	same(0, tally.more, "decoupled stages bound no plan above it");
	ok(tally.compared > 5 && tally.part > 0.97 * (double)tally.compared, "nor far below");
	same(0, tally.dropped, "and drop no pattern of a best plan");
	printf("# patterns generated %ld times; %ld prices, %ld of them of nothing\n", tally.generated, tally.priced,
	    tally.none);
	ok(tally.generated > 5 && tally.priced > 25 && tally.none > 1, "patterns are made when they are priced");
	same(0, tally.dearer, "and cost no more than when they are listed");
	ok(tally.cheaper * 10 < tally.priced, "nor less, but for some that are not in the model's order");
	return tap_done();
}
