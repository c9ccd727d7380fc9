/* Questions: answered one by one, sorted and written. */
#include "question.h"

#include <err.h>
#include <math.h>
#include <stdlib.h>
#include <unistd.h>

#include "lib/base/alloc.h"
#include "lib/base/clock.h"
#include "lib/base/decimal.h"
#include "lib/base/option.h"
#include "lib/base/sorted.h"
#include "lib/base/status.h"
#include "lib/target/holding.h"
#include "sapp-lp/external/mip_model.h"
#include "sapp-lp/planner/answer.h"
#include "sapp-lp/planner/end_to_end.h"
#include "sapp-lp/planner/known.h"
#include "sapp-lp/planner/sampled.h"
#include "sapp-lp/planner/uniform.h"
#include "certify.h"
#include "verify.h"

enum { LAYERS_MAX = 10000 };	/* maximum, because contents.index has an entry for every run of layers */

/* Return whether a body has no kind of recomputation other than none. */
static bool
keeps_all(const struct body *b)
{
	bool all = b->side == 0;

	for (int k = RECOMPUTE_NONE + 1; k < RECOMPUTE_KINDS; k++)
		all &= !b->has[k];
	return all;
}

/* Print that nothing fits. Print limits that suffice, and a lower bound on such limits, if known. */
static void
explain_infeasible(const struct question *q, const struct excess *e, struct list memory)
{
	bool exact = e->mb <= e->at_least + excess_close(&q->problem), proved = e->at_least > MEMORY_SLACK;
	double base = memory.n == 1 ? memory.at[0] : 0;
	/*
	 * A limit that works is rounded up, and a limit that does not work is rounded down, so both are true as
	 * printed.
	 */
	char *works = decimal_up(base + e->mb), *below = decimal_down(base + e->at_least);
	char *plan = xasprintf("no plan of %s with %d chunk%s per stage %s", schedule_names[q->pipeline.schedule],
	    q->pipeline.interleave, q->pipeline.interleave > 1 ? "s" : "", proved ? "fits" : "was found that fits");
	bool bounded = proved && !exact;

	if (memory.n == 1)
		warnx("%s into %.10g MB: the smallest limit %s is %s MB, for stage %d%s%s%s", plan, memory.at[0],
		    exact ? "that works" : "known to work", works, q->plan.binding_stage, bounded ? ", and none below "
		    : "", bounded ? below : "", bounded ? " MB does" : "");
	else
		warnx("%s: limits raised by %s MB each %s (stage %d needs the most)%s%s%s", plan, works,
		    exact ? "would just suffice" : "would suffice", q->plan.binding_stage,
		    bounded ? "; an increase below " : "",
		    bounded ? below : "", bounded ? " MB does not suffice" : "");
	free(plan);
	free(works);
	free(below);
	for (int b = 0; b < q->problem.net->nbodies; b++)
		if (keeps_all(&q->problem.net->body[b]))
			warnx("layers '%s' are not recomputed in any plan: their memory with recomputation is unknown",
			    q->problem.net->body[b].name);
}

static void
write_model(struct lp_model *l, struct output *out, void (*write)(struct lp_model *, FILE *))
{
	if (out->file == NULL)
		return;
	write(l, out->file);
	output_commit(out);
}

/* Write the model with whole layers, and with the paths generated for the answer's bound. */
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

/* Write a certificate for the bound of the plan, or a certificate that no plan fits, within SECONDS. */
static void
write_proof(struct options *a, const struct question *q, const struct network *net, const struct answer *answer,
    double seconds)
{
	bool fits = q->plan.status != PLAN_INFEASIBLE;
	double overhead = end_to_end_overhead(net->model, q->pipeline.stages), all, bound;
	char *records;

	if (a->proof.file == NULL)
		return;
	bound = all = fits ? q->plan.lower_bound - overhead : INFINITY;
	records = certify(&q->problem, &answer->best, &bound, clock_now() + seconds);
	fprintf(a->proof.file, "{\"kind\":\"proof\",\"plan\":\"%s\",\"question\":\"%016llx\"", q->plan.name,
	    (unsigned long long)records_question(a->input, &q->pipeline));
	if (fits)
		fprintf(a->proof.file, ",\"bound\":%.15g", bound < all ? bound + overhead : q->plan.lower_bound);
	fprintf(a->proof.file, "}\n%s{\"kind\":\"end\"}\n", records);
	output_commit(&a->proof);
	free(records);
}

void
question_name(struct question *q, const char *what)
{
	free(q->plan.name);
	q->plan.name = q->pipeline.interleave == 1 ? xasprintf("planned-%s", what)
	    : xasprintf("planned-%s-i%d", what, q->pipeline.interleave);
}

void
question_devices(struct question *q, const struct options *a)
{
	q->devices = xcalloc(1, sizeof *q->devices);
	*q->devices = a->devices;
	q->devices->transfers = (enum transfer_mode)q->pipeline.transfers;
}

char *
question_problem(const struct question *q, enum target target, struct list memory)
{
	char *wrong = verify_plan(&q->problem, &q->plan, memory), *text;

	if (wrong == NULL && target != TARGET_ANY)
		wrong = holding_plan_problem(target, &q->plan, &q->problem.shape);
	if (wrong == NULL)
		return NULL;
	text = xasprintf("fault in the planner: the plan found for %s failed its check and is not printed: %s",
	    q->plan.name, wrong);
	free(wrong);
	return text;
}

bool
question_fail(struct question *q, const struct network *net, char *fault)
{
	if (fault == NULL)
		return false;
	if (net->name != NULL)
		warnx("%s: %s", net->name, fault);
	else
		warnx("%s", fault);
	free(fault);
	q->failed = true;
	q->answered = false;
	q->rank = INFINITY;
	return true;
}

int
questions_status(int n, int failed, bool any)
{
	if (failed == 0)
		return any ? STATUS_ANSWERED : STATUS_NO_ANSWER;
	warnx("%d of %d questions failed%s", failed, n, failed < n ? "; the others are answered" : "");
	return STATUS_ERROR;
}

/* Return the kinds of recomputation that the target's settings can only set for all pieces alike. */
static unsigned
settings_kinds(const struct options *a, enum schedule_kind kind)
{
	return target_kinds(a->target, kind, ~0u << RECOMPUTE_BUILT_IN);
}

/* Return whether the target's settings can set a kind for all layers. */
static bool
has_settings(const struct options *a)
{
	return a->uniform || frameworks[a->target].rule == RULE_WHOLE;
}

/* Find the best plan that the target's settings can express. One of the choices is a kind for all layers. */
static struct answer
solve_settings(struct question *q, const struct options *a, const struct shape *shape, const struct network *net,
    const struct records *known, const struct effort *effort)
{
	bool own = !a->uniform, even = target_in(frameworks[a->target].even, shape->kind);
	struct answer answer;
	struct uniform_question u = { shape, q->devices, a->memory, even,
	    own ? UNIFORM_OWN : frameworks[a->target].rule == RULE_ALL ? UNIFORM_ALL_OR_NONE : UNIFORM_FIRST,
	    !own || a->listed, settings_kinds(a, shape->kind), known, &q->pipeline };

	for (int k = 0; k < RECOMPUTE_KINDS; k++)
		for (int b = 0; b < net->nbodies && !(u.kinds >> k & 1); b++)
			if (net->body[b].has[k]) {
				warnx("%s has no recomputation '%s' in %s: the planner does not use it",
				    target_titles[a->target], recompute_names[k], schedule_names[shape->kind]);
				break;
			}
	answer = uniform_solve(&q->problem, &q->restricted, net, &u, effort);
	/* Kinds that lists cannot express are excluded from plans with a number per piece. */
	for (int b = 0; b < net->nbodies; b++)
		for (int k = RECOMPUTE_BUILT_IN; own && k < RECOMPUTE_KINDS; k++)
			if (q->restricted->body[b].has[k])
				GIVE(pipeline, &q->pipeline, mixes, MIXES_ALL);
	return answer;
}

char *
question_obstacle(const struct question *q, const struct options *a, const struct network *net)
{
	struct shape shape = pipeline_shape(&q->pipeline);
	struct network placed = *net;

	holding_place(a->target, shape.kind, &placed);
	if (net->layers < network_needed(&placed, a->stages * q->pipeline.interleave))
		return xasprintf("%d layers are too few for %d stages of %d chunks: every piece needs a layer%s",
		    net->layers, a->stages, q->pipeline.interleave, net->empty ? " if a head or tail is bound to it"
		    : target_holding(a->target, shape.kind).empty ? ", except with -empty" : "");
	if (target_in(frameworks[a->target].even, shape.kind) && net->layers % (shape.stages * shape.chunks) != 0)
		return xasprintf("%s runs %s only with the same number of layers in every piece: %d layers are not "
		    "divisible by %d pieces",
		    target_titles[a->target], schedule_names[shape.kind], net->layers, shape.stages * shape.chunks);
	if ((a->spread > 0 || sampling_needed(net)) && schedule_mirrored(shape.kind))
		return xasprintf("%s: times cannot vary with this schedule, where stages mirror each other",
		    schedule_names[shape.kind]);
	return holding_shape_problem(a->target, &placed, &shape);
}

void
question_check(const struct question *q, const struct options *a, const struct network *net)
{
	struct shape shape = pipeline_shape(&q->pipeline);
	char *problem = question_obstacle(q, a, net);
	bool nothing;

	if (problem != NULL)
		errx(STATUS_USAGE, "%s", problem);
	end_to_end_check(net, a->stages);
	if (a->stages * q->pipeline.interleave > (a->devices.overlap > 0 ? LAYERS_MAX / 2 : LAYERS_MAX))
		errx(STATUS_ERROR, "%d pieces are too many to plan: at most %d", a->stages *
		    q->pipeline.interleave, a->devices.overlap > 0 ? LAYERS_MAX / 2 : LAYERS_MAX);
	if (net->layers > LAYERS_MAX)
		errx(STATUS_ERROR, "%d layers are too many to plan: at most %d", net->layers, LAYERS_MAX);
	nothing = has_settings(a) && settings_kinds(a, shape.kind) == 1u << RECOMPUTE_NONE;
	for (int b = 0; b < net->nbodies && nothing; b++)
		if (!net->body[b].has[RECOMPUTE_NONE])
			errx(STATUS_ERROR, "%s does not recompute in %s, but layers '%s' have no figures without "
			    "recomputation", target_titles[a->target], schedule_names[shape.kind], net->body[b].name);
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
	struct sampling *sampling = NULL;
	struct quantiles quantiles = { 0 };
	double begun = clock_now();
	bool varies = a->spread > 0 || sampling_needed(net);
	/* The remaining time is for work after planning: samples, or the search for plainer plans. */
	double part = varies ? 0.5 : effort.gap > 0 ? 0.97 : 1;

	q->net = xcalloc(1, sizeof *q->net);
	*q->net = *net;
	holding_place(a->target, shape.kind, q->net);
	net = q->net;
	effort.bound = known_bound(known, &q->pipeline, net, a->target);
	question_devices(q, a);
	effort.paths = a->lp.file != NULL || a->mps.file != NULL;
	effort.progress = option_verbose || isatty(STDERR_FILENO);
	if (has_settings(a)) {
		effort.seconds = part * seconds;
		answer = solve_settings(q, a, &shape, net, known, &effort);
	} else {
		*p = problem_new(net, &shape, q->devices, a->memory, a->listed);
		/* The final verification takes about as long as the preparation. */
		effort.seconds = fmax(seconds - 2 * (clock_now() - begun), 0) * part;
		plan = candidate_new(p);
		effort.known = known_plan(known, &q->pipeline, p, &plan) ? &plan : NULL;
		answer = planner_solve(p, &effort);
		candidate_free(&plan);
	}
	if (question_fail(q, net, answer_fault(&answer))) {
		answer_free(&answer);
		return;
	}
	if (!varies && !effort.paths && !q->helps)
		answer_plainer(p, effort.gap, effort.cutoff > answer.step_time ? effort.cutoff : INFINITY,
		    begun + seconds, &answer);
	if (varies && answer.status != PLAN_INFEASIBLE) {
		sampling = sampling_new(p, a->spread);
		quantiles = sampled_choose(p, sampling, &answer, begun + seconds);
	}
	q->rank = answer.status == PLAN_INFEASIBLE ? INFINITY : answer.step_time;
	q->answered = q->rank < INFINITY || answer.excess.mb < INFINITY;
	if (!q->answered) {
		warnx("no %s plan with %d chunk%s per stage can be written as lists, at any limit: try -mixes all",
		    schedule_names[shape.kind], shape.chunks, shape.chunks > 1 ? "s" : "");
		answer_free(&answer);
		return;
	}
	q->plan = answer_plan(p, &answer, "");
	if (a->target != TARGET_ANY)
		GIVE(plan, &q->plan, target, xstrdup(target_names[a->target]));
	question_name(q, schedule_names[shape.kind]);
	if (question_fail(q, net, question_problem(q, a->target, a->memory)) ||
	    question_fail(q, net, end_to_end_step(&q->plan, net, &q->pipeline, fmax(effort.gap, 1e-9)))) {
		if (sampling != NULL)
			sampling_free(sampling);
		answer_free(&answer);
		return;
	}
	if (answer.status == PLAN_INFEASIBLE && !q->helps)
		explain_infeasible(q, &answer.excess, a->memory);
	if (q->rank < INFINITY)
		q->rank = q->plan.step_time;
	if (sampling != NULL) {
		sampled_say(&q->plan, p, sampling, quantiles);
		q->rank = q->plan.step_p90;
		sampling_free(sampling);
	}
	write_models(a, p, &answer.paths);
	write_proof(a, q, net, &answer, seconds);
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
				puts("the lower bound holds for all orders: the load and the longest chain");
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

/*
 * Questions with equal rank are sorted by chunks, then in the order of schedule_names. Questions without a plan come
 * last.
 */
ORDER_BY(by_rank, struct question, -it->answered, it->rank, it->pipeline.interleave, it->pipeline.schedule)

void
question_free(struct question *q)
{
	fields_free(&pipeline_fields, &q->pipeline);
	fields_free(&plan_fields, &q->plan);
	if (q->problem.net != NULL)	/* NULL: a free order without any answer to start from */
		problem_free(&q->problem);
	free(q->devices);
	if (q->restricted != NULL)
		free(q->restricted->body);
	free(q->restricted);
	free(q->net);
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
	SORT(all->at, all->n, by_rank);
}

void
questions_free(struct questions *all)
{
	for (int i = 0; i < all->n; i++)
		question_free(&all->at[i]);
	free(all->at);
	*all = (struct questions){ 0 };
}
