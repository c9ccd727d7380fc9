#include "free_question.h"

#include <err.h>
#include <math.h>
#include <unistd.h>

#include "lib/base/alloc.h"
#include "lib/base/clock.h"
#include "lib/base/option.h"
#include "lib/schedule/scheme.h"
#include "sapp-lp/planner/end_to_end.h"
#include "sapp-lp/planner/free_order.h"

/* Return whether a schedule places its pieces like the schedule FOUND, whose order is planned. */
static bool
placed_as(int kind, enum schedule_kind found)
{
	return found == SCHEDULE_CUSTOM || schedule_scheme((enum schedule_kind)kind)->placement ==
	    schedule_scheme(found)->placement;
}

/* Return whether a free order with INTERLEAVE chunks can start from the order of a question. */
static bool
begins_free(const struct question *q, int interleave, enum schedule_kind found)
{
	struct shape shape = pipeline_shape(&q->pipeline);

	return q->pipeline.interleave == interleave && !q->free && free_order_possible(&shape) &&
	    placed_as(q->pipeline.schedule, found);
}

/* Add a question with a free order. Add also the schedules from which it starts, unless they were requested. */
static void
add_free(struct questions *r, const struct options *a, int interleave, enum schedule_kind found)
{
	struct question *q;

	for (int kind = 0; kind < SCHEDULE_KINDS; kind++) {
		struct shape shape = { .kind = (enum schedule_kind)kind, .stages = a->stages, .chunks = interleave,
		    .micro = a->micro };
		bool asked = !schedule_begins(&shape) || !placed_as(kind, found);

		for (int i = 0; i < r->n; i++)
			asked |= begins_free(&r->at[i], interleave, found) && r->at[i].pipeline.schedule == kind;
		if (!asked)
			question_new(r, a, shape.kind, interleave)->helps = true;
	}
	q = question_new(r, a, SCHEDULE_CUSTOM, interleave);
	q->free = true;
	q->found = found;
}

/* Exit if the options allow no free order. NAME: the argument of -S. */
static void
check_options(const struct options *a, const char *name)
{
	struct shape custom = { .kind = SCHEDULE_CUSTOM, .stages = a->stages, .chunks = 1, .micro = a->micro };
	char *wanting = target_shape_problem(a->target, &custom);

	if (wanting != NULL)
		option_usage("-S %s: %s", name, wanting);
	if (a->uniform)
		option_usage(
		    "-S %s: a free order does not allow uniform recomputation%s%s", name,
		    a->target != TARGET_ANY ? ", the only kind supported by " : "",
		    a->target != TARGET_ANY ? target_titles[a->target] : "");
	if (a->spread > 0)
		option_usage("-S %s: not with -spread: a free order is only for constant times", name);
	if (a->splits > 1)
		option_usage("-S %s: not with -seq: a free order has no sequence splits", name);
	if (a->lp_file != NULL || a->mps_file != NULL)
		option_usage("%s: no model for other solvers describes all orders",
		    a->lp_file != NULL ? "-lp" : "-mps");
}

/* Add a free order for every number of chunks of -i, or without -i for the numbers of the other schedules. */
void
free_questions_add(struct questions *r, const struct options *a)
{
	int asked = r->n;

	check_options(a, "free");
	for (int i = 0; i < a->interleave.stages; i++)
		add_free(r, a, a->interleave.at[i], SCHEDULE_CUSTOM);
	for (int i = 0; i < asked && a->interleave.stages == 0; i++) {
		bool known = false;

		for (int j = 0; j < i; j++)
			known |= r->at[j].pipeline.interleave == r->at[i].pipeline.interleave;
		if (!known)
			add_free(r, a, r->at[i].pipeline.interleave, SCHEDULE_CUSTOM);
	}
	if (r->n == asked)
		add_free(r, a, 1, SCHEDULE_CUSTOM);
}

void
free_question_add(struct questions *r, const struct options *a, enum schedule_kind found)
{
	const char *name = schedule_names[found];
	int own = schedule_chunks(found);

	check_options(a, name);
	for (int i = 0; i < a->interleave.stages; i++)
		if (a->interleave.at[i] != own)
			option_usage("-S %s: has %d chunks per stage, not '%d'", name, own, a->interleave.at[i]);
	add_free(r, a, own, found);
}

static bool
begins(const struct question *other, const struct question *free_one)
{
	return begins_free(other, free_one->pipeline.interleave, free_one->found) && other->answered &&
	    other->rank < INFINITY;
}

bool
free_question_begun(const struct questions *all, const struct question *q)
{
	for (int i = 0; i < all->n; i++)
		if (all->at[i].answered && all->at[i].rank < INFINITY &&
		    begins_free(&all->at[i], q->pipeline.interleave, q->pipeline.schedule))
			return true;
	return false;
}

/* Keep the order with the shorter whole step in *BEST. A faulty order takes precedence. */
static void
keep(struct free_order *best, struct free_order found)
{
	struct free_order longer = *best;

	if (best->fault == NULL && (found.whole < best->whole || found.fault != NULL)) {
		*best = found;
		found = longer;
	}
	free_order_free(&found);
}

/*
 * Find the shortest order, starting from the answers with the same number of chunks, as they are and with improved
 * orders.
 */
static bool
find_free_order(const struct questions *all, const struct question *q, const struct options *a, double deadline,
    struct free_order *best)
{
	struct effort effort = a->effort;
	int left = 0;

	effort.progress = option_verbose || isatty(STDERR_FILENO);
	*best = (struct free_order){ .whole = INFINITY };
	for (int i = 0; i < all->n; i++)
		left += begins(&all->at[i], q);
	for (int i = 0; i < all->n; i++) {
		const struct question *other = &all->at[i];
		double now = clock_now();

		/*
		 * When the time is over, consider the plan without improving it, unless the best order is already
		 * shorter.
		 */
		if (!begins(other, q) || (best->whole < INFINITY && !clock_left(deadline) &&
		    other->rank >= best->step_time))
			continue;
		keep(best, free_order_find(&other->problem, &other->plan, q->devices, a->memory, &effort, now));
		if (clock_left(deadline))
			keep(best, free_order_find(&other->problem, &other->plan, q->devices, a->memory, &effort,
			    now + (deadline - now) / left));
		left--;
	}
	return best->whole < INFINITY;
}

void
free_question_answer(const struct questions *all, struct question *q, const struct options *a,
    const struct network *net, double seconds)
{
	double begun = clock_now();
	struct free_order found;
	struct shape shape;

	q->rank = INFINITY;
	question_devices(q, a);
	if (!find_free_order(all, q, a, begun + seconds, &found)) {
		warnx("no free order with %d chunk%s per stage: no schedule to start from fits into memory",
		    q->pipeline.interleave, q->pipeline.interleave > 1 ? "s" : "");
		return;
	}
	if (found.fault != NULL) {
		question_fail(q, net, xstrdup(found.fault));
		free_order_free(&found);
		return;
	}
	GIVE(pipeline, &q->pipeline, order, found.order);
	q->plan = found.plan;
	question_name(q, q->found == SCHEDULE_CUSTOM ? "free" : schedule_names[q->found]);
	GIVE(plan, &q->plan, status, found.step_time <= found.lower_bound * (1 + 1e-9) ? PLAN_OPTIMAL : PLAN_FEASIBLE);
	GIVE(plan, &q->plan, step_time, found.step_time);
	GIVE(plan, &q->plan, lower_bound, found.lower_bound);
	GIVE(plan, &q->plan, gap, found.step_time / found.lower_bound - 1);
	if (option_verbose)
		GIVE(plan, &q->plan, solve_seconds, clock_now() - begun);
	shape = pipeline_shape(&q->pipeline);
	q->problem = problem_new(net, &shape, q->devices, a->memory, a->listed);
	q->answered = true;
	q->rank = q->plan.step_time;
	if (question_fail(q, net, question_problem(q, a->target, a->memory)) ||
	    question_fail(q, net, end_to_end_step(&q->plan, net, &q->pipeline, 1e-9)))
		return;
	q->rank = q->plan.step_time;
}
