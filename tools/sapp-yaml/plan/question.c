#include "question.h"

#include <err.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/alloc.h"
#include "lib/base/spelling.h"
#include "lib/base/status.h"
#include "lib/target/holding.h"
#include "lib/yaml/settings.h"
#include "degrees.h"

struct record *
question_choose(struct records *all, const char *name)
{
	struct record *chosen = NULL, *any = NULL;
	const char **names;
	int plans = 0;

	for (size_t i = 0; i < all->n; i++) {
		struct record *r = &all->at[i];

		if (r->kind != RECORD_PLAN)
			continue;
		plans++;
		any = r;
		if (chosen == NULL && (name != NULL ? strcmp(r->plan.name, name) == 0
		    : r->plan.origin == PLAN_PLANNER))
			chosen = r;
	}
	if (plans == 0)
		place_die((struct place){ all->n > 0 ? all->at[0].place.source : all->source, 0 },
		    "no plan record in the input; sapp-lp writes them");
	if (chosen == NULL && name == NULL && plans == 1)
		chosen = any;
	if (chosen != NULL)
		return chosen;
	names = xcalloc((size_t)plans + 1, sizeof *names);
	for (size_t i = 0, n = 0; i < all->n; i++)
		if (all->at[i].kind == RECORD_PLAN)
			names[n++] = all->at[i].plan.name;
	if (name == NULL)
		errx(STATUS_ERROR, "choose a plan with -plan:%s", spelling_known("", names));
	errx(STATUS_ERROR, "-plan: no plan has the name '%s'; there are:%s", name, spelling_known(name, names));
}

/* If the plan's schedule hides the communication of experts, set this in the degrees, whatever the candidate has. */
static void
overlap_as_planned(struct yaml_question *q)
{
	if (q->degrees == NULL || q->shape.kind != SCHEDULE_VPP_OVERLAP)
		return;
	q->own = xcalloc(1, sizeof *q->own);
	*q->own = *q->degrees;
	q->own->ep_overlap = true;
	q->degrees = q->own;
}

/* Check that plan and candidate are for the same run. The candidate's micro-batches are the default. */
static void
check_degrees(struct yaml_question *q, const struct plan *p)
{
	if (q->degrees == NULL)
		return;
	if (q->micro_batches == 0)
		q->micro_batches = q->shape.micro = q->degrees->micro_batches;
	if (q->degrees->pp != q->shape.stages || q->degrees->micro_batches != q->micro_batches)
		place_die(q->place, "the plan '%s' has %d stages and %d micro-batches, but its candidate has %d and %d",
		    p->name,     q->shape.stages, q->micro_batches, q->degrees->pp, q->degrees->micro_batches);
}

/* Return a layer of the plan that is before the language model of the network, or NULL. */
static const char *
tower_of(const struct architecture *net, const struct plan *p)
{
	const struct body_counts *body = p->counts.at;
	const struct architecture *class = net != NULL ? net->classes.at : NULL;

	for (int k = 0; class != NULL && k < net->classes.n; k++)
		for (int b = 0; GIVEN(architecture, &class[k], seq_length) && b < p->counts.n; b++) {
			size_t n = strlen(class[k].name);

			if (strncmp(body[b].name, class[k].name, n) == 0 &&
			    body[b].name[n + strspn(body[b].name + n, "0123456789")] == '\0')
				return body[b].name;
		}
	return NULL;
}

struct yaml_question
question_of(const struct records *all, const struct record *chosen)
{
	const struct plan *p = &chosen->plan;
	const struct body_counts *body = p->counts.at;
	const struct pipeline *asked = NULL;
	struct yaml_question q = { .place = chosen->place, .pieces = grid_new(p->offset.chunks, p->offset.stages) };
	struct settings s = { .offset = p->offset };
	struct grid by_offset, kind[RECOMPUTE_KINDS];

	for (const struct record *r = all->at; r < chosen; r++)
		if (r->kind == RECORD_PIPELINE)
			asked = &r->pipeline;
		else if (r->kind == RECORD_NETWORK)
			q.net = &r->network;
	q.tower = tower_of(q.net, p);
	q.shape = plan_shape(p, asked);
	q.shape.stages = p->offset.stages;
	q.micro_batches = q.shape.micro;
	q.degrees = degrees_asked(all, chosen);
	check_degrees(&q, p);
	overlap_as_planned(&q);
	if (asked != NULL)
		q.devices = pipeline_devices(asked);
	for (int i = 0; asked != NULL && i < asked->memory_limit.n; i++)
		q.limit = fmax(q.limit, asked->memory_limit.at[i]);
	q.offload = asked != NULL ? asked->offload : 0;
	for (int b = 0; b < p->counts.n; b++)
		for (int k = 0; k < RECOMPUTE_KINDS; k++)
			for (int i = 0; body[b].kind[k].at != NULL &&
			    i < q.pieces.chunks * q.pieces.stages; i++) {
				q.pieces.at[i] += body[b].kind[k].at[i];
				q.extra += target_predicts(body[b].name) ? body[b].kind[k].at[i] : 0;
			}
	q.layers = grid_sum(q.pieces);
	/* The plan's settings are written, so they must match the counts. */
	by_offset = settings_layers(&s, q.layers, q.place);
	for (int i = 0; i < q.pieces.chunks * q.pieces.stages; i++)
		if (by_offset.at[i] != q.pieces.at[i])
			place_die(q.place,
			    "plan: %d layers in chunk %d of stage %d by its counts, %d by its offset",
			    q.pieces.at[i], i / q.pieces.stages, i % q.pieces.stages, by_offset.at[i]);
	free(by_offset.at);
	q.sets = xcalloc(1, sizeof *q.sets);
	*q.sets = pattern_sets_of(all);
	q.modules = modules_of(all);
	plan_kinds(p, q.pieces.chunks, q.pieces.stages, kind);
	for (int k = 0; k < RECOMPUTE_KINDS; k++)
		q.swaps |= q.sets->moves[k] != 0 && grid_sum(kind[k]) > 0;
	if (pattern_lists_needed(kind) && !q.swaps) {
		q.patterns = xcalloc(1, sizeof *q.patterns);
		*q.patterns = pattern_lists_new(q.sets, kind);
	}
	for (int k = 0; k < RECOMPUTE_KINDS; k++)
		free(kind[k].at);
	return q;
}

bool
question_experts(const struct yaml_question *q)
{
	return (q->degrees != NULL && q->degrees->ep > 1) || (q->net != NULL && q->net->experts > 0);
}

int
question_predicting_ends(const struct plan *p, int piece)
{
	const struct body_counts *ends = p->ends.at;
	int n = 0;

	for (int b = 0; b < p->ends.n; b++)
		if (target_predicts(ends[b].name) && ends[b].kind[RECOMPUTE_NONE].at != NULL)
			n += ends[b].kind[RECOMPUTE_NONE].at[piece];
	return n;
}

int *
question_layer_kinds(const struct yaml_question *q, const struct plan *p)
{
	const struct body_counts *body = p->counts.at;
	int *kind = xcalloc((size_t)q->layers, sizeof *kind), *order = schedule_pieces(&q->shape), n = 0;
	enum recompute first[RECOMPUTE_KINDS];

	pattern_order(q->sets, first);
	for (int i = 0; i < q->pieces.chunks * q->pieces.stages; i++)
		for (int b = 0; b < p->counts.n; b++)
			for (int k = 0; k < RECOMPUTE_KINDS; k++) {
				struct grid g = body[b].kind[first[k]];

				for (int j = 0; g.at != NULL && j < g.at[order[i]]; j++)
					kind[n++] = (int)first[k];
			}
	free(order);
	return kind;
}

char *
question_layers(const struct yaml_question *q)
{
	if (q->extra == 0 || q->extra == q->layers)
		return xasprintf("%d layer%s", q->layers, q->layers == 1 ? "" : "s");
	return xasprintf("%d layer%s and %d layer%s for multi-token prediction", q->layers - q->extra,
	    q->layers - q->extra == 1 ? "" : "s", q->extra, q->extra == 1 ? "" : "s");
}

/* Exit if the schedule cannot have this number of chunks, or if the order is invalid. */
static void
check_schedule(const struct yaml_question *q, const struct plan *p)
{
	struct shape shape = q->shape;
	const char *problem;

	if (shape.micro == 0)	/* unset: any valid number will do */
		shape.micro = 2 * shape.stages * (shape.group > 0 ? shape.group : 1);
	problem = schedule_problem(&shape);
	if (problem != NULL)
		place_die(q->place, "'%s': %s", p->name, problem);
}

static bool
plan_has(const struct plan *p, int kind)
{
	const struct body_counts *body = p->counts.at;

	for (int b = 0; b < p->counts.n; b++)
		if (body[b].kind[kind].at != NULL && grid_sum(body[b].kind[kind]) > 0)
			return true;
	return false;
}

/* Overlapping lists of a training YAML cannot express every mix of a piece. */
void
question_check_lists(const struct yaml_question *q, const struct plan *p)
{
	struct settings s = { p->offset, p->recompute, p->select_recompute, p->select_comm_recompute };
	struct grid kind[RECOMPUTE_KINDS];

	for (int k = RECOMPUTE_BUILT_IN; q->patterns != NULL && k < RECOMPUTE_KINDS; k++)
		if (!(q->sets->said >> k & 1) && plan_has(p, k))
			place_die(q->place, "'%s': no kind record with the patterns of '%s'", p->name,
			    recompute_names[k]);
	if (q->patterns != NULL)
		pattern_lists_kinds(q->patterns, p->recompute, q->pieces, kind, q->place);
	else
		settings_to_counts(&s, q->layers, kind, q->place);
	question_verify(q, p, kind, "its lists");
	for (int k = 0; k < RECOMPUTE_KINDS; k++)
		free(kind[k].at);
}

void
yaml_question_check(struct yaml_question *q, const struct plan *p, enum target target)
{
	char *problem;

	if (q->tower != NULL)
		place_die(q->place, "'%s': layers in front of the language model cannot be divided into stages by %s "
		    "'%s'", p->name, target_titles[target], q->tower);
	problem = target_shape_problem(target, &q->shape);
	if (problem == NULL)
		problem = holding_plan_problem(target, p, &q->shape);
	if (problem == NULL)
		problem = target_plan_problem(target, p, modules_kinds(&q->modules, target), &q->uniform);
	if (problem != NULL)
		place_die(q->place, "'%s': %s", p->name, problem);
	check_schedule(q, p);
	if (target == TARGET_MINDFORMERS && !q->swaps)
		question_check_lists(q, p);
}

void
question_verify(const struct yaml_question *q, const struct plan *p, const struct grid kind[RECOMPUTE_KINDS],
    const char *what)
{
	const struct body_counts *body = p->counts.at;
	int pieces = q->pieces.chunks * q->pieces.stages, *layers = xcalloc((size_t)p->counts.n + 1, sizeof *layers);
	struct grid (*of)[RECOMPUTE_KINDS] = xcalloc((size_t)p->counts.n + 1, sizeof *of);
	int *order = schedule_pieces(&q->shape);
	enum recompute order_of_kinds[RECOMPUTE_KINDS];
	const enum recompute *first = recompute_costly_first;

	if (q->sets != NULL) {
		pattern_order(q->sets, order_of_kinds);
		first = order_of_kinds;
	}
	for (int b = 0; b < p->counts.n; b++)
		for (int k = 0; k < RECOMPUTE_KINDS; k++)
			layers[b] += body[b].kind[k].at != NULL ? grid_sum(body[b].kind[k]) : 0;
	settings_deal(kind, first, order, p->counts.n, layers, of);
	for (int b = 0; b < p->counts.n; b++)
		for (int k = 0; k < RECOMPUTE_KINDS; k++)
			for (int i = 0; i < pieces; i++) {
				int want = body[b].kind[k].at != NULL ? body[b].kind[k].at[i] : 0;
				int got = of[b][k].at != NULL ? of[b][k].at[i] : 0;

				if (got != want)
					place_die(q->place, "'%s': %s would give chunk %d of stage %d %d layers '%s' "
					    "with recomputation '%s', but the plan has %d", p->name, what,
					    i / q->pieces.stages,
					    i % q->pieces.stages, got, body[b].name, recompute_names[k], want);
			}
	for (int b = 0; b < p->counts.n; b++)
		for (int k = 0; k < RECOMPUTE_KINDS; k++)
			free(of[b][k].at);
	free(layers);
	free(of);
	free(order);
}

void
yaml_question_free(struct yaml_question *q)
{
	free(q->pieces.at);
	free(q->sets);
	if (q->patterns != NULL)
		pattern_lists_free(q->patterns);
	free(q->patterns);
	free(q->own);
	*q = (struct yaml_question){ 0 };
}
