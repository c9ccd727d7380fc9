/*
 * Exclude sequences of layers by the paths of all stages at once, for small questions with one chunk per stage: the
 * bound must be below the best plan's step, and the plan found must fit. The bound and the found plan's step must be
 * near the best step.
 */
#include "lib/base/clock.h"
#include "lp_random.h"
#include "sapp-lp/bound/path_cuts.h"
#include "sapp-lp/exact/run_squeeze.h"
#include "sapp-lp/pattern/stage_dp.h"
#include "sapp-lp/heuristic/start.h"
#include "sapp-lp/model/critical_paths.h"
#include "sapp-lp/model/stage_settings.h"
#include "tap.h"

#define QUESTIONS draws(70, 140)
enum { PLANS = 1500, LOOSE = 3 };
/* Mean bound / least step; mean step / least step. */
static const double BOUNDS = 0.95, STEPS = 1.002;

static struct tally {
	long asked, several, above, unfit, unlike, paths;
	double bound, step;
} tally;

/* For a set near the plan, the paths of LANES plans at the same time equal those of each plan alone. */
static void
check_paths(struct question *q, const struct problem *p, const struct candidate *plan)
{
	const struct evaluator *o = &p->evaluator;
	struct critical_paths c = critical_paths_new(o);
	struct path_finder f = path_finder_new(p);
	double *cost = xcalloc((size_t)o->slots, sizeof *cost);
	struct lanes step;

	candidate_costs(p, plan, cost);
	for (int i = 0; i < o->slots - 1; i++)
		for (int l = 0; l < LANES; l++)
			c.cost[i].at[l] = cost[i] * (1 + below(q, 100) / 100.0);
	step = critical_paths_find(&c, LANES);
	for (int l = 0; l < LANES; l++) {
		for (int i = 0; i < o->slots; i++)
			f.cost[i] = c.cost[i].at[l];
		tally.paths += fabs(path_finder_longest(&f) - step.at[l]) > 1e-9 * step.at[l];
		tally.paths += fabs(visits_length(o, &c.path[l], f.cost) - step.at[l]) > 1e-9 * step.at[l];
	}
	free(cost);
	path_finder_free(&f);
	critical_paths_free(&c);
}

static void
look(struct question *q, const struct problem *p, const struct candidate *first, double least)
{
	double begun = candidate_step_time(p, first);
	struct run_squeeze s = run_squeeze_new(p, first, begun);

	check_paths(q, p, first);
	s.bound = least / LOOSE;
	run_squeeze_run(&s, INFINITY);
	tally.asked++;
	tally.several += p->net->nbodies > 1;
	tally.above += patterns_proved(p, s.bound, p->stages) > least || s.step_time < least * (1 - 1e-9);
	tally.unfit += !candidate_fits(p, &s.plan) || !candidate_placed(p, &s.plan);
	tally.unlike += fabs(candidate_step_time(p, &s.plan) - s.step_time) > 1e-9 * s.step_time ||
	    s.step_time > begun;
	tally.bound += s.bound / least;
	tally.step += s.step_time / least;
	run_squeeze_free(&s);
}

int
main(void)
{
	for (int n = 0; n < QUESTIONS; n++) {
		struct question q = { .random = RANDOM_ODD * (uint64_t)(n + 1) };
		struct brute brute;
		struct problem p;
		struct candidate first;
		struct excess excess;
		struct starts starts = { 0 };

		question_draw(&q, n, PLANS, &brute);
		if (brute.fitting == 0)
			continue;
		p = problem_new(&q.net, &q.shape, &q.devices, (struct list){ q.shape.stages, q.limit }, q.listed);
		first = candidate_new(&p);
		if (p.chunks == 1 && start_find(&p, clock_now() + 20, &first, &excess, &starts))
			look(&q, &p, &first, brute.step);
		starts_free(&starts);
		candidate_free(&first);
		problem_free(&p);
	}
	printf("# %ld questions, %ld of several bodies: bounds of %.4f of the least step, steps of %.4f\n", tally.asked,
	    tally.several, tally.bound / (double)tally.asked, tally.step / (double)tally.asked);
	ok(tally.asked > QUESTIONS / 8 && tally.several > QUESTIONS / 20, "questions of one chunk a stage");
	same(0, tally.paths, "critical paths of several plans at once are as long as those of each");
	same(0, tally.above, "no bound is above the best plan of all, nor any plan below it");
	same(0, tally.unfit, "all plans fit, with the layers in their order");
	same(0, tally.unlike, "and have the reported steps, none longer than before");
	ok(tally.bound > BOUNDS * (double)tally.asked, "bounds come near");
	ok(tally.step < STEPS * (double)tally.asked, "and so do plans");
	return tap_done();
}
