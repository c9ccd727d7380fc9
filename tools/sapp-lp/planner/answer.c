/* Answer: its bound, checked; its plan record and its report. */
#include "answer.h"

#include <math.h>
#include <stdlib.h>

#include "lib/base/alloc.h"
#include "lib/base/option.h"
#include "lib/order/timed_schedule.h"
#include "lib/simulate/load.h"
#include "lib/simulate/report.h"
#include "lib/simulate/simulation.h"
#include "lib/simulate/throughput.h"
#include "lib/yaml/settings.h"
#include "sapp-lp/heuristic/descent.h"

static const double TIE = 1e-3;		/* relative difference up to which steps count as equal */

char *
answer_fault(const struct answer *a)
{
	if (a->lower_bound <= a->step_time)
		return NULL;
	if (a->lower_bound == a->told)
		return xasprintf("-known: its lower bound %.10g ms is wrong: a plan that fits takes %.10g ms",
		    a->told, a->step_time);
	return xasprintf("fault in the planner: the lower bound %.17g ms is above the step of a plan that fits, %.17g "
	    "ms; please report this question", a->lower_bound, a->step_time);
}

void
answer_raise(struct answer *a, double bound)
{
	a->lower_bound = fmax(a->lower_bound, bound);
}

double
answer_gap(const struct answer *a)
{
	return a->step_time > a->lower_bound ? a->step_time / a->lower_bound - 1 : 0;
}

void
answer_grade(struct answer *a)
{
	a->status = a->step_time == INFINITY ? PLAN_INFEASIBLE : answer_gap(a) <= OPTIMAL_GAP ? PLAN_OPTIMAL
	    : PLAN_FEASIBLE;
}

void
answer_plainer(const struct problem *p, double gap, double longest, double deadline, struct answer *a)
{
	double most = a->step_time * (1 + fmin(gap, TIE));

	if (answer_gap(a) <= gap)
		most = fmin(most, a->lower_bound * (1 + gap) * (1 - OPTIMAL_GAP));
	if (gap <= OPTIMAL_GAP || a->step_time == INFINITY ||
	    !descent_plainer(p, fmin(most, longest), deadline, &a->best))
		return;
	a->step_time = candidate_step_time(p, &a->best);
	answer_grade(a);
}

void
answer_free(struct answer *a)
{
	candidate_free(&a->best);
	path_cuts_free(&a->paths);
}

/* Add the layers of a side that must be in the first or last piece, if this piece may consist of them alone. */
static void
fill_outer(const struct problem *p, int side, struct plan *plan)
{
	for (int i = 0; i < p->net->nouter && p->net->alone; i++) {
		const struct outer *o = &p->net->outer[i];
		struct body_counts *counts;
		struct grid g;

		if (o->side != side)
			continue;
		counts = array_add(&body_counts_fields, &plan->ends);
		counts->name = xstrdup(o->name);
		g = grid_new(p->shape.chunks, p->shape.stages);
		g.at[p->plan_piece[p->piece[side < 0 ? 0 : p->pieces - 1]]] = o->layers;
		GIVE(body_counts, counts, kind[RECOMPUTE_NONE], g);
	}
}

static void
fill_counts(const struct problem *p, const struct candidate *c, struct plan *plan)
{
	fill_outer(p, -1, plan);
	for (int b = 0; b < p->net->nbodies; b++) {
		bool end = p->net->body[b].side != 0;
		struct body_counts *counts = array_add(&body_counts_fields, end ? &plan->ends : &plan->counts);

		counts->name = xstrdup(p->net->body[b].name);
		for (int k = 0; k < RECOMPUTE_KINDS; k++) {
			struct grid g;

			if (!p->net->body[b].has[k])
				continue;
			g = grid_new(p->shape.chunks, p->shape.stages);
			for (int i = 0; i < p->pieces; i++)
				g.at[p->plan_piece[i]] =
				    problem_mix(p, c->content[i], c->mix[i])->count[b * RECOMPUTE_KINDS + k];
			GIVE(body_counts, counts, kind[k], g);
		}
	}
	fill_outer(p, 1, plan);
}

struct plan
answer_plan(const struct problem *p, const struct answer *a, const char *name)
{
	struct plan plan = { .name = xstrdup(name), .origin = PLAN_PLANNER, .schedule = (int)p->shape.kind,
	    .interleave = p->shape.chunks };
	struct grid kind[RECOMPUTE_KINDS];
	struct settings set;

	fill_counts(p, &a->best, &plan);
	if (plan.ends.n > 0)
		GIVE(plan, &plan, ends, plan.ends);
	plan_kinds(&plan, p->shape.chunks, p->shape.stages, kind);
	set = settings_from_counts(kind, network_body_layers(p->net));
	for (int k = 0; k < RECOMPUTE_KINDS; k++)
		free(kind[k].at);
	plan.offset = set.offset;
	plan.recompute = set.recompute;
	plan.select_recompute = set.select_recompute;
	plan.select_comm_recompute = set.select_comm_recompute;
	GIVE(plan, &plan, status, (int)a->status);
	/* Only this number differs from run to run, so it is omitted unless the user asks for it. */
	if (option_verbose)
		GIVE(plan, &plan, solve_seconds, a->seconds);
	if (a->status == PLAN_INFEASIBLE) {
		GIVE(plan, &plan, excess, a->excess.mb);
		if (a->excess.at_least > MEMORY_SLACK)
			GIVE(plan, &plan, excess_at_least, a->excess.at_least);
		GIVE(plan, &plan, binding_stage, p->limited[a->excess.stage]);
		return plan;
	}
	GIVE(plan, &plan, step_time, a->step_time);
	GIVE(plan, &plan, lower_bound, a->lower_bound);
	if (answer_gap(a) < INFINITY)
		GIVE(plan, &plan, gap, answer_gap(a));
	return plan;
}

void
answer_report(FILE *out, const struct problem *p, const struct plan *plan, const struct pipeline *asked)
{
	struct schedule sched = timed_schedule_of_plans(&p->shape, p->net, p->devices);
	struct load load = load_from_plan(plan, p->net, &p->shape, p->devices);
	struct simulation sim = { 0 };

	fprintf(out, "%s (%s)\n", plan->name, schedule_names[plan->schedule]);
	if (plan->status == PLAN_INFEASIBLE)
		fprintf(out, "does not fit: raise every limit by %.2f MB, which stage %d needs\n", plan->excess,
		    plan->binding_stage);
	report_settings(out, plan);
	if (simulation_run(&sim, &sched, &load)) {
		struct sim result = simulation_result(&sim, plan->name, asked->memory_limit);

		throughput_give(&result, p->net->model, &p->shape, 0, 0);
		report_sim(out, &result);
		fields_free(&sim_fields, &result);
	}
	if (plan->status != PLAN_INFEASIBLE)
		fprintf(out, "lower bound: %.4f, gap: %.4f %% (%s)\n", plan->lower_bound, 100 * plan->gap,
		    plan_status_names[plan->status]);
	if (GIVEN(plan, plan, step_p90))
		fprintf(out, "with varying times: half of the steps take at most %.4f ms, nine of ten %.4f\n",
		    plan->step_p50,
		    plan->step_p90);
	simulation_free(&sim);
	load_free(&load);
	schedule_free(&sched);
}
