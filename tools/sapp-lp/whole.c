/* A plan's step with what the planner leaves out. */
#include "whole.h"

#include <math.h>

#include "lib/simulate/load.h"
#include "lib/simulate/simulation.h"
#include "lib/simulate/timed_schedule.h"

static double
on(struct list l, int stage)
{
	return l.n == 0 ? 0 : list_get(l, stage);
}

double
whole_overhead(const struct model *m, int stages)
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
whole_check(const struct network *net, int stages)
{
	if (net->model == NULL)
		return;
	overhead_check(net->model->overhead, net->model->overhead_early, stages, "model", net->place);
}

void
whole_step(struct plan *p, const struct network *net, const struct pipeline *q, double gap)
{
	struct shape shape = pipeline_shape(q);
	struct devices devices = pipeline_devices(q);
	struct schedule sched;
	struct load load;
	struct simulation sim = { 0 };
	bool slow = q->transfers != TRANSFERS_HIDDEN && list_any(q->comm_time);

	if (p->status == PLAN_INFEASIBLE || (!slow && (net->model == NULL || net->model->overhead.n == 0)))
		return;
	sched = timed_schedule_of_plans(&shape, net, &devices);
	load = load_from_plan(p, net, &shape, &devices);
	load_transfers_set(&load, (enum transfer_mode)q->transfers);
	if (simulation_run(&sim, &sched, &load)) {
		p->step_time = simulation_whole(&sim);
		p->lower_bound += whole_overhead(net->model, q->stages);
		p->lower_bound = fmin(p->lower_bound, p->step_time);
		if (p->lower_bound > 0)
			GIVE(plan, p, gap, p->step_time / p->lower_bound - 1);
		if (p->gap > gap)
			p->status = PLAN_FEASIBLE;
	}
	simulation_free(&sim);
	load_free(&load);
	schedule_free(&sched);
}
