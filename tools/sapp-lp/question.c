/* Questions: from options to questions, answered one by one, ranked and written. */
#include "question.h"

#include <err.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "lib/base/alloc.h"
#include "known.h"
#include "lib/base/clock.h"
#include "lib/base/decimal.h"
#include "lib/base/option.h"
#include "lib/base/status.h"
#include "sapp-lp/external/mip_model.h"
#include "answer.h"
#include "free_order.h"
#include "sapp-lp/uniform/uniform.h"
#include "verify.h"
#include "end_to_end.h"

enum { LAYERS_MAX = 10000 };	/* contents.index has an entry for every run of layers */

/* Exits unless there is such a schedule, and it can run. */
static void
check_question(const struct pipeline *q, const struct options *a)
{
	struct shape shape = pipeline_shape(q);
	const char *problem = schedule_problem(&shape);
	char *cycle, *wanting, *unlike;

	if (problem != NULL && shape.order != NULL)
		errx(STATUS_ERROR, "%s: %s", a->order_file, problem);
	if (problem != NULL)
		errx(STATUS_USAGE, "%s with %d stages of %d chunks: %s", schedule_names[shape.kind], shape.stages,
		    shape.chunks, problem);
	unlike = devices_problem(&a->devices, &shape);
	if (unlike != NULL)
		errx(STATUS_USAGE, "%s", unlike);
	wanting = target_shape_problem(a->target, &shape);
	if (wanting != NULL)
		errx(STATUS_USAGE, "%s", wanting);
	cycle = shape.order != NULL ? problem_cycle(&shape) : NULL;
	if (cycle != NULL)
		errx(STATUS_ERROR, "%s: can never run: %s", a->order_file, cycle);
}

static struct question *
new_question(struct questions *r, const struct options *a, enum schedule_kind kind, int interleave)
{
	struct pipeline *q;

	r->at = xreallocarray(r->at, (size_t)r->n + 1, sizeof *r->at);
	r->at[r->n] = (struct question){ .pipeline = { .stages = a->stages, .micro_batches = a->micro,
	    .interleave = interleave, .schedule = (int)kind, .memory_limit = list_copy(a->memory) } };
	q = &r->at[r->n++].pipeline;
	if (devices_delayed(&a->devices))
		GIVE(pipeline, q, comm_time, list_copy(a->devices.delay));
	if (a->offload > 0)
		GIVE(pipeline, q, offload, a->offload);
	if (a->devices.speed.n > 0)
		GIVE(pipeline, q, speed, list_copy(a->devices.speed));
	if (devices_delayed(&a->devices) && a->transfers != TRANSFERS_HIDDEN)
		GIVE(pipeline, q, transfers, a->transfers);
	if (a->mixes != MIXES_YAML)
		GIVE(pipeline, q, mixes, (int)a->mixes);
	return &r->at[r->n - 1];
}

static void
add_question(struct questions *r, const struct options *a, enum schedule_kind kind, int interleave)
{
	struct pipeline *q = &new_question(r, a, kind, interleave)->pipeline;

	if (a->splits > 1)
		GIVE(pipeline, q, seq_split, a->splits);
	if (a->group > 0)
		GIVE(pipeline, q, group, a->group);
	if (kind == SCHEDULE_CUSTOM && a->order != NULL)
		GIVE(pipeline, q, order, xstrdup(a->order));
	check_question(q, a);
}

/* Can a free order of so many chunks begin as that of a question? */
static bool
begins_free(const struct question *q, int interleave)
{
	struct shape shape = pipeline_shape(&q->pipeline);

	return q->pipeline.interleave == interleave && !q->free && free_order_possible(&shape);
}

/* A free order, and schedules that it can begin with besides those that are asked for. */
static void
add_free(struct questions *r, const struct options *a, int interleave)
{
	static const enum schedule_kind kinds[][3] = {
		{ SCHEDULE_1F1B, SCHEDULE_ZB_H1, SCHEDULE_ZB_H2 },
		{ SCHEDULE_VPP, SCHEDULE_ZBV, SCHEDULE_V_HALF },
		{ SCHEDULE_VPP, SCHEDULE_VPP_LESS, SCHEDULE_CUSTOM },
	};
	const enum schedule_kind *helps = kinds[interleave > 2 ? 2 : interleave - 1];

	for (int k = 0; k < 3; k++) {
		struct shape shape = { .kind = helps[k], .stages = a->stages, .chunks = interleave, .micro = a->micro };
		bool asked = helps[k] == SCHEDULE_CUSTOM || schedule_problem(&shape) != NULL;

		for (int i = 0; i < r->n; i++)
			asked |= begins_free(&r->at[i], interleave) && r->at[i].pipeline.schedule == (int)helps[k];
		if (!asked)
			new_question(r, a, helps[k], interleave)->helps = true;
	}
	new_question(r, a, SCHEDULE_CUSTOM, interleave)->free = true;
}

/* A free order for every number of chunks of -i, or else of the schedules beside it. */
static void
add_free_orders(struct questions *r, const struct options *a)
{
	int asked = r->n;
	struct shape custom = { .kind = SCHEDULE_CUSTOM, .stages = a->stages, .chunks = 1, .micro = a->micro };
	char *wanting = target_shape_problem(a->target, &custom);

	if (wanting != NULL)
		option_usage(options_usage, "-S free: %s", wanting);
	if (a->uniform)
		option_usage(options_usage,
		    "-S free: layers are not recomputed alike in all pieces of a free order%s%s",
		    a->target != TARGET_ANY ? ", which is all that can be said to " : "",
		    a->target != TARGET_ANY ? target_titles[a->target] : "");
	if (a->splits > 1)
		option_usage(options_usage, "-S free: a free order has no sequence splits");
	if (a->lp_file != NULL || a->mps_file != NULL)
		option_usage(options_usage, "%s: there is no model of all orders", a->lp_file != NULL ? "-lp" : "-mps");
	for (int i = 0; i < a->interleave.stages; i++)
		add_free(r, a, a->interleave.at[i]);
	for (int i = 0; i < asked && a->interleave.stages == 0; i++) {
		bool known = false;

		for (int j = 0; j < i; j++)
			known |= r->at[j].pipeline.interleave == r->at[i].pipeline.interleave;
		if (!known)
			add_free(r, a, r->at[i].pipeline.interleave);
	}
	if (r->n == asked)
		add_free(r, a, 1);
}

/*
 * A schedule with each number of chunks of -i that it can have; where it can have none, the first, for its error
 * message.
 */
static void
add_schedule(struct questions *r, const struct options *a, enum schedule_kind kind)
{
	int own = schedule_chunks(kind), before = r->n;

	for (int i = 0; i < a->interleave.stages; i++)
		if (own == 0 || own == a->interleave.at[i])
			add_question(r, a, kind, a->interleave.at[i]);
	if (r->n == before)
		add_question(r, a, kind, a->interleave.stages > 0 ? a->interleave.at[0] : own > 0 ? own : 1);
}

static void
add_interleaved(struct questions *r, const struct options *a, int chunks)
{
	if (chunks == 1)
		add_question(r, a, SCHEDULE_1F1B, chunks);
	if (chunks > 1 && a->less != LESS_YES)
		add_question(r, a, SCHEDULE_VPP, chunks);
	if (chunks > 1 && a->less != LESS_NO)
		add_question(r, a, SCHEDULE_VPP_LESS, chunks);
}

static bool
any_custom(const struct questions *r)
{
	for (int i = 0; i < r->n; i++)
		if (r->at[i].pipeline.schedule == SCHEDULE_CUSTOM && !r->at[i].free)
			return true;
	return false;
}

/* Every combination of interleaving and schedule that was asked for. */
struct questions
questions_list(const struct options *a)
{
	struct questions r = { 0 };
	char *names = a->schedules != NULL ? xstrdup(a->schedules) : NULL, *rest = names, *name;
	bool free_too = false;

	while ((name = strsep(&rest, ",")) != NULL) {
		if (strcmp(name, "free") == 0)
			free_too = true;
		else
			add_schedule(&r, a, (enum schedule_kind)option_choice("-S", name, schedule_names));
	}
	free(names);
	if (free_too)
		add_free_orders(&r, a);
	for (int i = 0; i < a->interleave.stages && a->schedules == NULL; i++)
		add_interleaved(&r, a, a->interleave.at[i]);
	if (r.n == 0)
		add_interleaved(&r, a, 1);
	if (a->order != NULL && !any_custom(&r))
		option_usage(options_usage, "-order: is for the schedule custom, which -S does not list");
	if (r.n > 1 && (a->lp_file != NULL || a->mps_file != NULL))
		option_usage(options_usage, "%s: a file holds the model of one question, and these are %d",
		    a->lp_file != NULL ? "-lp" : "-mps", r.n);
	return r;
}

/* Say that nothing fits, with the limits that would do and a lower bound on those, as far as they are known. */
static void
explain_infeasible(const struct question *q, const struct excess *e, struct list memory)
{
	bool exact = e->mb <= e->at_least + excess_close(&q->problem), proved = e->at_least > MEMORY_SLACK;
	double base = memory.n == 1 ? memory.at[0] : 0;
	/*
	 * A limit that works is rounded up, one that does not is rounded down: both must be true as they are printed.
	 */
	char *works = decimal_up(base + e->mb), *below = decimal_down(base + e->at_least);
	char *plan = xasprintf("no plan of %s with %d chunk%s a stage %s", schedule_names[q->pipeline.schedule],
	    q->pipeline.interleave, q->pipeline.interleave > 1 ? "s" : "", proved ? "fits" : "was found that fits");
	bool bounded = proved && !exact;

	if (memory.n == 1)
		warnx("%s into %.10g MB: the smallest limit %s is %s MB, for stage %d%s%s%s", plan, memory.at[0],
		    exact ? "that works" : "known to work", works, q->plan.binding_stage, bounded ? ", and none below "
		    : "", bounded ? below : "", bounded ? " MB does" : "");
	else
		warnx("%s: raised by %s MB each, the limits %s, stage %d being the last%s%s%s", plan, works,
		    exact ? "would just do" : "would do", q->plan.binding_stage, bounded ? "; by less than " : "",
		    bounded ? below : "", bounded ? " MB they do not" : "");
	free(plan);
	free(works);
	free(below);
}

static void
write_model(struct lp_model *l, struct output *out, void (*write)(struct lp_model *, FILE *))
{
	if (out->file == NULL)
		return;
	write(l, out->file);
	output_commit(out);
}

/* Write the model with whole layers and the paths that were generated for the answer's bound. */
static void
write_models(struct options *a, const struct problem *p, const struct path_cuts *paths)
{
	struct lp_model l;

	if (a->lp.file == NULL && a->mps.file == NULL)
		return;
	mip_open(&l, p);
	for (int i = 0; i < paths->n; i++)
		lp_model_add(&l, &paths->at[i]);
	write_model(&l, &a->lp, mip_write_lp);
	write_model(&l, &a->mps, mip_write_mps);
	lp_model_close(&l);
}

static void
name_plan(struct question *q, const char *what)
{
	free(q->plan.name);
	q->plan.name = q->pipeline.interleave == 1 ? xasprintf("planned-%s", what)
	    : xasprintf("planned-%s-i%d", what, q->pipeline.interleave);
}

/* What the planner did not know of transfers that keep stages busy; a report says it, too. */
static void
say_transfers(const struct question *q, const struct network *net)
{
	struct pipeline hidden = q->pipeline;

	if (q->plan.status == PLAN_INFEASIBLE || q->pipeline.transfers == TRANSFERS_HIDDEN || q->helps ||
	    option_report())
		return;
	hidden.transfers = TRANSFERS_HIDDEN;
	warnx("%s: planned as if transfers were hidden, when the step takes %.6g ms; %s ones make it %.6g",
	    q->plan.name, end_to_end_time(&q->plan, net, &hidden), transfers_names[q->pipeline.transfers],
	    q->plan.step_time);
}

static void
verify(const struct question *q, struct list memory)
{
	char *wrong = verify_plan(&q->problem, &q->plan, memory);

	if (wrong != NULL)
		errx(STATUS_ERROR, "the plan found for %s is not printed, because checking it failed: %s", q->plan.name,
		    wrong);
}

static bool
begins(const struct question *other, const struct question *free_one)
{
	return begins_free(other, free_one->pipeline.interleave) && other->answered && other->rank < INFINITY;
}

/* The shortest of what the answers with so many chunks become when their orders are improved. */
static bool
find_free_order(const struct questions *all, const struct question *q, const struct options *a, double deadline,
    struct free_order *best)
{
	struct effort effort = a->effort;
	int left = 0;

	effort.progress = option_verbose || isatty(STDERR_FILENO);
	*best = (struct free_order){ .step_time = INFINITY };
	for (int i = 0; i < all->n; i++)
		left += begins(&all->at[i], q);
	for (int i = 0; i < all->n; i++) {
		const struct question *other = &all->at[i];
		double now = clock_now();
		struct free_order found;

		if (!begins(other, q))
			continue;
		found = free_order_find(&other->problem, &other->plan, a->memory, &effort,
		    now + (deadline - now) / left--);
		if (found.step_time < best->step_time) {
			struct free_order longer = *best;

			*best = found;
			found = longer;
		}
		free_order_free(&found);
	}
	return best->step_time < INFINITY;
}

void
question_answer_free(const struct questions *all, struct question *q, const struct options *a,
    const struct network *net, double seconds)
{
	double begun = clock_now();
	struct free_order found;
	struct shape shape;

	q->rank = INFINITY;
	if (!find_free_order(all, q, a, begun + seconds, &found)) {
		warnx("no free order with %d chunk%s a stage: none of the schedules that it could begin with fits",
		    q->pipeline.interleave, q->pipeline.interleave > 1 ? "s" : "");
		return;
	}
	GIVE(pipeline, &q->pipeline, order, found.order);
	q->plan = found.plan;
	name_plan(q, "free");
	GIVE(plan, &q->plan, status, found.step_time <= found.lower_bound * (1 + 1e-9) ? PLAN_OPTIMAL : PLAN_FEASIBLE);
	GIVE(plan, &q->plan, step_time, found.step_time);
	GIVE(plan, &q->plan, lower_bound, found.lower_bound);
	GIVE(plan, &q->plan, gap, found.step_time / found.lower_bound - 1);
	if (option_verbose)
		GIVE(plan, &q->plan, solve_seconds, clock_now() - begun);
	shape = pipeline_shape(&q->pipeline);
	q->problem = problem_new(net, &shape, &a->devices, a->memory, a->listed);
	q->answered = true;
	verify(q, a->memory);
	end_to_end_step(&q->plan, net, &q->pipeline, 1e-9);
	say_transfers(q, net);
	q->rank = q->plan.step_time;
}

void
question_answer(struct question *q, struct options *a, const struct network *net, const struct records *known,
    double seconds)
{
	struct shape shape = pipeline_shape(&q->pipeline);
	struct problem *p = &q->problem;
	struct answer answer;
	struct effort effort = a->effort;
	struct candidate plan;
	double begun = clock_now();
	bool even;

	if (net->layers < a->stages * q->pipeline.interleave)
		errx(STATUS_USAGE, "%d layers are too few for %d stages of %d chunks: every piece needs one",
		    net->layers, a->stages, q->pipeline.interleave);
	end_to_end_check(net, a->stages);
	if (net->layers > LAYERS_MAX)
		errx(STATUS_ERROR, "%d layers are more than can be planned: at most %d", net->layers, LAYERS_MAX);
	even = target_even(a->target, shape.kind);
	if (even && net->layers % (shape.stages * shape.chunks) != 0)
		errx(STATUS_USAGE, "%s runs %s only with as many layers in every piece: %d layers on %d pieces are not",
		    target_titles[a->target], schedule_names[shape.kind], net->layers, shape.stages * shape.chunks);
	effort.progress = option_verbose || isatty(STDERR_FILENO);
	if (a->uniform) {
		effort.seconds = seconds;
		answer = uniform_solve(p, &q->restricted, net, &(struct uniform_question){ &shape, &a->devices, a->memory,
		    even, target_rule(a->target) == RULE_ALL, target_kinds(a->target, shape.kind) }, &effort);
	} else {
		*p = problem_new(net, &shape, &a->devices, a->memory, a->listed);
		/* Verifying the plan in the end takes about as long as this did. */
		effort.seconds = fmax(seconds - 2 * (clock_now() - begun), 0);
		plan = candidate_new(p);
		effort.known = known_plan(known, &q->pipeline, p, &plan) ? &plan : NULL;
		effort.bound = known_bound(known, &q->pipeline, net);
		answer = planner_solve(p, &effort);
		candidate_free(&plan);
	}
	q->rank = answer.status == PLAN_INFEASIBLE ? INFINITY : answer.step_time;
	q->answered = q->rank < INFINITY || answer.excess.mb < INFINITY;
	if (!q->answered) {
		warnx("no plan of %s with %d chunk%s a stage can be said in lists, whatever the limit: try -mixes all",
		    schedule_names[shape.kind], shape.chunks, shape.chunks > 1 ? "s" : "");
		answer_free(&answer);
		return;
	}
	q->plan = answer_plan(p, &answer, "");
	name_plan(q, schedule_names[shape.kind]);
	verify(q, a->memory);
	if (answer.status == PLAN_INFEASIBLE && !q->helps)
		explain_infeasible(q, &answer.excess, a->memory);
	end_to_end_step(&q->plan, net, &q->pipeline, fmax(effort.gap, 1e-9));
	say_transfers(q, net);
	if (q->rank < INFINITY)
		q->rank = q->plan.step_time;
	write_models(a, p, &answer.paths);
	answer_free(&answer);
}

static void
write_rank(int place, const struct question *q)
{
	const struct plan *p = &q->plan;

	if (p->status == PLAN_INFEASIBLE)
		printf("%3d  %-24s %.8g MB too much for stage %d\n", place, p->name, p->excess, p->binding_stage);
	else
		printf("%3d  %-24s %14.4f  at least %14.4f  %s\n", place, p->name, p->step_time, p->lower_bound,
		    plan_status_names[p->status]);
}

void
questions_write(const struct questions *all, const struct records *input, int keep)
{
	for (size_t i = 0; i < input->n && !option_report(); i++)
		record_write(stdout, &input->at[i]);
	for (int i = 0; i < all->n && i < keep && all->at[i].answered; i++) {
		const struct question *q = &all->at[i];

		if (option_report()) {
			if (i > 0)
				putchar('\n');
			answer_report(stdout, &q->problem, &q->plan, &q->pipeline);
			if (q->free)
				puts("the lower bound is that of all orders: load and longest chain");
			continue;
		}
		record_put(stdout, RECORD_PIPELINE, &q->pipeline);
		record_put(stdout, RECORD_PLAN, &q->plan);
	}
	if (option_report() && all->n > 1) {
		puts("\nranking");
		for (int i = 0; i < all->n && all->at[i].answered; i++)
			write_rank(i + 1, &all->at[i]);
	}
}

/* Equal ranks by chunks, then in the order of schedule_names; those without a plan last. */
static int
by_rank(const void *a, const void *b)
{
	const struct question *x = a, *y = b;

	if (x->answered != y->answered)
		return y->answered - x->answered;
	if (x->rank != y->rank)
		return x->rank < y->rank ? -1 : 1;
	if (x->pipeline.interleave != y->pipeline.interleave)
		return x->pipeline.interleave - y->pipeline.interleave;
	return x->pipeline.schedule - y->pipeline.schedule;
}

static void
question_free(struct question *q)
{
	fields_free(&pipeline_fields, &q->pipeline);
	fields_free(&plan_fields, &q->plan);
	if (q->problem.net != NULL)	/* a free order that began with nothing has none */
		problem_free(&q->problem);
	if (q->restricted != NULL)
		free(q->restricted->body);
	free(q->restricted);
}

void
questions_rank(struct questions *all)
{
	int n = 0;

	for (int i = 0; i < all->n; i++) {
		if (all->at[i].helps)
			question_free(&all->at[i]);
		else
			all->at[n++] = all->at[i];
	}
	all->n = n;
	qsort(all->at, (size_t)all->n, sizeof *all->at, by_rank);
}

void
questions_free(struct questions *all)
{
	for (int i = 0; i < all->n; i++)
		question_free(&all->at[i]);
	free(all->at);
	*all = (struct questions){ 0 };
}
