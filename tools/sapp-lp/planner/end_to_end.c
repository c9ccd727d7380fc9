#include "end_to_end.h"

#include <math.h>

#include "lib/order/timed_schedule.h"
#include "lib/simulate/load.h"
#include "lib/simulate/simulation.h"
#include "sapp-lp/model/tolerance.h"
#include "planner.h"

enum { STEP_TERMS = 8 };	/* number of terms added to the step of the pipeline, or to a bound on the step */

static double
on(struct list l, int stage)
{
	return l.n == 0 ? 0 : list_get(l, stage);
}

double
end_to_end_overhead(const struct model *m, int stages)
{
	double early = INFINITY, rest = 0;

	if (m == NULL || m->overhead.n == 0)
		return 0;

	for (int s = 0; s < stages; s++) {
		early = fmin(early, on(m->overhead_early, s));
		rest = fmax(rest, on(m->overhead, s) - on(m->overhead_early, s));
	}
	return early + rest;
}

void
end_to_end_check(const struct network *net, int stages)
{
	if (net->model == NULL)
		return;
	overhead_check(net->model->overhead, net->model->overhead_early, stages, "model", net->place);
}

double
end_to_end_time(const struct plan *p, const struct network *net, const struct pipeline *q)
{
	struct shape shape = pipeline_shape(q);
	struct devices devices = pipeline_devices(q);
	struct schedule sched = timed_schedule_of_plans(&shape, net, &devices);
	struct load load = load_from_plan(p, net, &shape, &devices);
	struct simulation sim = { 0 };
	double step = INFINITY;

	if (simulation_run(&sim, &sched, &load))
		step = simulation_whole(&sim);
	simulation_free(&sim);
	load_free(&load);
	schedule_free(&sched);
	return step;
}

char *
end_to_end_step(struct plan *p, const struct network *net, const struct pipeline *q, double gap)
{
	bool slow = q->transfers != TRANSFERS_HIDDEN && list_any(q->comm_time);
	double step, bound;

	if (p->status == PLAN_INFEASIBLE || (!slow && (net->model == NULL || net->model->overhead.n == 0)))
		return NULL;
	step = end_to_end_time(p, net, q);
	if (step == INFINITY)
		return NULL;
	bound = p->lower_bound + end_to_end_overhead(net->model, q->stages);
	p->step_time = step;
	p->lower_bound = rounded_down(bound, bound, STEP_TERMS);
	if (p->lower_bound > 0)
		GIVE(plan, p, gap, p->step_time / p->lower_bound - 1);
	if (p->gap > gap)
		p->status = PLAN_FEASIBLE;
	return answer_fault(&(struct answer){ .step_time = p->step_time, .lower_bound = p->lower_bound });
}
