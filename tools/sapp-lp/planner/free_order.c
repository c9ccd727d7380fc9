#include "free_order.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "lib/base/alloc.h"
#include "lib/base/clock.h"
#include "lib/base/memstream.h"
#include "lib/order/shop_orders.h"
#include "lib/order/timed_schedule.h"
#include "lib/simulate/simulation.h"
#include "sapp-lp/bound/order_bound.h"
#include "answer.h"

#define SHORTER (1 - 1e-9)
/*
 * Operations evaluated to improve the order for one plan: per second of -t, maximum, and maximum as a number of small
 * orders.
 */
static const double A_SECOND = 2e6, MADE = 2e7, ORDERS = 12000;
enum { TURNS = 5 };

/* An order that is being improved. */
struct order_work {
	const struct problem *p;
	const struct devices *devices;
	struct list limit;
	struct schedule s;
	struct plan plan;
	double step;		/* ms, whole step, with the time outside the pipeline */
	char *fault;		/* answer_fault() of a plan for the order; NULL: none */
};

bool
free_order_possible(const struct shape *q)
{
	return schedule_order_problem(q) == NULL;
}

static void
copy_counts(struct array *to, const struct array *all)
{
	const struct body_counts *from = all->at;

	for (int b = 0; b < all->n; b++) {
		struct body_counts *c = array_add(&body_counts_fields, to);

		c->name = xstrdup(from[b].name);
		for (int k = 0; k < RECOMPUTE_KINDS; k++)
			if (from[b].kind[k].at != NULL)
				GIVE(body_counts, c, kind[k], grid_copy(from[b].kind[k]));
	}
}

static struct plan
plan_copy(const struct plan *p)
{
	struct plan copy = { .origin = p->origin, .schedule = SCHEDULE_CUSTOM, .interleave = p->interleave,
	    .offset = grid_copy(p->offset), .recompute = grid_copy(p->recompute),
	    .select_recompute = grid_copy(p->select_recompute),
	    .select_comm_recompute = grid_copy(p->select_comm_recompute) };

	copy_counts(&copy.counts, &p->counts);
	if (p->ends.n > 0) {
		copy_counts(&copy.ends, &p->ends);
		GIVE(plan, &copy, ends, copy.ends);
	}
	return copy;
}

/* Return the memory that the limits leave for activations. */
static struct room
room_left(const struct order_work *w, const struct load *load)
{
	struct room r = { .memory = list_new(w->s.stages) };

	for (int i = 0; i < w->s.stages; i++)
		r.memory.at[i] = list_get(w->limit, i) - list_get(load->fixed, i);
	return r;
}

/* Return the step of a plan in the order, ms. WHOLE: with the time outside the pipeline. */
static double
step_of(const struct order_work *w, const struct plan *plan, bool whole)
{
	struct load load = load_from_plan(plan, w->p->net, &w->s.shape, w->devices);
	struct simulation sim = { 0 };
	double step = !simulation_run(&sim, &w->s, &load) ? INFINITY : whole ? simulation_whole(&sim) : sim.step_time;

	simulation_free(&sim);
	load_free(&load);
	return step;
}

/* Improve the order of operations for the plan. Return whether the step became shorter. */
static bool
improve_order(struct order_work *w, double operations, double deadline)
{
	struct load load = load_from_plan(&w->plan, w->p->net, &w->s.shape, w->devices);
	struct room room = room_left(w, &load);
	double before = w->step;

	shop_orders(&w->s, &load, &room, fmin(operations, ORDERS * (double)schedule_ops(&w->s)), deadline);
	w->step = simulation_step(&w->s, &load);
	room_free(&room);
	load_free(&load);
	return w->step < before * SHORTER;
}

static char *
order_text(const struct schedule *s)
{
	char *text;
	size_t length;
	FILE *f = memstream_open(&text, &length);

	if (f == NULL)
		abort();
	schedule_order_write(f, s);
	memstream_close(f);
	return text;
}

/* Return the shape of a question with the order TEXT, which must outlive it. */
static struct shape
custom_shape(const struct shape *q, const char *text)
{
	return (struct shape){
		.kind = SCHEDULE_CUSTOM, .stages = q->stages, .chunks = q->chunks, .micro = q->micro, .order = text
	};
}

/* Place the layers anew for the order. Return whether the step became shorter. */
static bool
plan_again(struct order_work *w, const struct effort *effort, double seconds)
{
	char *text = order_text(&w->s);
	struct shape q = custom_shape(&w->s.shape, text);
	struct problem p = problem_new(w->p->net, &q, w->devices, w->limit, w->p->listed);
	struct effort some = *effort;
	struct answer answer;
	bool shorter = false;

	some.seconds = seconds;
	some.solver = NULL;
	answer = planner_solve(&p, &some);
	w->fault = answer_fault(&answer);
	if (w->fault == NULL && answer.status != PLAN_INFEASIBLE) {
		struct plan plan = answer_plan(&p, &answer, "");
		double step = step_of(w, &plan, true);

		if ((shorter = step < w->step * SHORTER)) {
			struct plan longer = w->plan;

			w->plan = plan;
			w->step = step;
			plan = longer;
		}
		fields_free(&plan_fields, &plan);
	}
	answer_free(&answer);
	problem_free(&p);
	free(text);
	return shorter;
}

/* Separate overlapping operations, because in a free order they would only wait for each other. */
static void
part(struct schedule *s)
{
	for (size_t i = 0; i < schedule_ops(s); i++)
		s->op[i].joined = 0;
}

struct free_order
free_order_find(const struct problem *p, const struct plan *plan, const struct devices *devices, struct list limit,
    const struct effort *effort, double deadline)
{
	struct order_work w = { .p = p, .devices = devices, .limit = limit, .plan = plan_copy(plan),
	    .s = timed_schedule_of_plans(&p->shape, p->net, p->devices) };
	struct free_order result;

	part(&w.s);
	w.step = step_of(&w, &w.plan, true);
	for (int turn = 0; turn < TURNS && clock_left(deadline); turn++) {
		bool shorter = improve_order(&w, fmin(MADE, A_SECOND * effort->seconds), deadline);

		if (turn > 0 && !shorter)
			break;
		if (!clock_left(deadline) || !plan_again(&w, effort, (deadline - clock_now()) / 2))
			break;
	}
	result = (struct free_order){ .plan = plan_copy(&w.plan), .order = order_text(&w.s),
	    .step_time = step_of(&w, &w.plan, false), .whole = step_of(&w, &w.plan, true) };
	result.lower_bound = order_bound(p);
	result.fault = w.fault != NULL ? w.fault :
	    answer_fault(&(struct answer){ .step_time = result.step_time, .lower_bound = result.lower_bound });
	fields_free(&plan_fields, &w.plan);
	schedule_free(&w.s);
	return result;
}

void
free_order_free(struct free_order *f)
{
	fields_free(&plan_fields, &f->plan);
	free(f->order);
	free(f->fault);
}
