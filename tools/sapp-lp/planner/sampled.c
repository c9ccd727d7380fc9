/* Sampled: the library's simulator runs the planner's samples. */
#include "sampled.h"

#include <err.h>
#include <math.h>
#include <stdlib.h>

#include "lib/base/status.h"
#include "lib/order/timed_schedule.h"
#include "lib/simulate/load.h"
#include "lib/simulate/simulation.h"
#include "sapp-lp/bound/path_cuts.h"

struct quantiles
sampled_choose(const struct problem *p, struct sampling *s, struct answer *a, double deadline)
{
	struct quantiles q = sampling_improve(s, &a->best, deadline);

	a->step_time = candidate_step_time(p, &a->best);
	if (a->step_time > a->lower_bound * (1 + OPTIMAL_GAP))
		a->status = PLAN_FEASIBLE;
	return q;
}

/* Return the quantiles of the simulated step, ms. WHOLE: with the time outside the pipeline. */
static struct quantiles
simulated(const struct plan *plan, const struct problem *p, const struct sampling *s, bool whole)
{
	struct schedule sched = timed_schedule_of_plans(&p->shape, p->net, p->devices);
	struct load load = load_from_plan(plan, p->net, &p->shape, p->devices);
	struct simulation sim = { 0 };
	double step[SAMPLES];

	for (int i = 0; i < SAMPLES; i++) {
		struct table t = sampling_factors(s, i);

		for (int k = 0; k < 2; k++) {
			free(load.factor[k].at);
			load.factor[k] = load_factor(t, t.stages, sched.micro / t.stages);
		}
		free(t.at);
		step[i] = !simulation_run(&sim, &sched, &load) ? INFINITY : whole ? simulation_whole(&sim) :
		    sim.step_time;
	}
	simulation_free(&sim);
	load_free(&load);
	schedule_free(&sched);
	return quantiles_of(step);
}

static bool
differ(double a, double b)
{
	return !(fabs(a - b) <= 1e-9 * b);
}

void
sampled_say(struct plan *plan, const struct problem *p, const struct sampling *s, struct quantiles found)
{
	struct quantiles q = simulated(plan, p, s, false);

	if (differ(found.p50, q.p50) || differ(found.p90, q.p90))
		errx(STATUS_ERROR, "fault in the planner: the plan found for %s failed its check and is not printed: "
		    "the median step takes %.10g ms, not %.10g ms, and the p90 step %.10g ms, not %.10g ms", plan->name,
		    q.p50, found.p50,
		    q.p90, found.p90);
	q = simulated(plan, p, s, true);
	GIVE(plan, plan, step_p50, q.p50);
	GIVE(plan, plan, step_p90, q.p90);
}
