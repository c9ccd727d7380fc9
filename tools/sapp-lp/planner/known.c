#include "known.h"

#include <err.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/alloc.h"
#include "lib/simulate/load.h"
#include "lib/simulate/simulation.h"
#include "sapp-lp/model/stage_settings.h"
#include "end_to_end.h"

/* relative difference of step times that rounding in files and sums may cause */
static const double SAME = 1e-9;

struct records
known_read(const char *file)
{
	struct records r = { 0 };
	char *operand[] = { (char *)file, NULL };

	if (file != NULL)
		records_read(&r, operand, RECORDS(RECORD_PIPELINE) | RECORDS(RECORD_PLAN));
	return r;
}

struct records
known_of(const struct records *r, const char *name)
{
	struct records some = { .source = r->source };
	const struct record *asked = NULL;

	for (size_t i = 0; i < r->n; i++) {
		const struct record *rec = &r->at[i];

		if (rec->kind == RECORD_PIPELINE)
			asked = rec;
		if (rec->kind != RECORD_PLAN || asked == NULL || strcmp(rec->plan.name, name) != 0)
			continue;
		some.at = xreallocarray(some.at, some.n + 2, sizeof *some.at);
		some.at[some.n++] = *asked;
		some.at[some.n++] = *rec;
	}
	return some;
}

/* Compare the devices of two questions. Missing speeds count as 1, missing delays as 0. */
static bool
same_devices(const struct pipeline *a, const struct pipeline *b)
{
	struct devices x = pipeline_devices(a), y = pipeline_devices(b);
	bool same = devices_overlap(&x) == devices_overlap(&y);

	for (int s = 0; s < a->stages && a->stages == b->stages; s++)
		same &= devices_pace(&x, s) == devices_pace(&y, s) &&
		    devices_delay(&x, a->stages, s) == devices_delay(&y, b->stages, s);
	return same;
}

/* Compare two questions except for their limits. */
static bool
same_question(const struct pipeline *a, const struct pipeline *b)
{
	struct shape x = pipeline_shape(a), y = pipeline_shape(b);

	return x.kind == y.kind && x.stages == y.stages && x.chunks == y.chunks && x.micro == y.micro &&
	    (x.splits > 1 ? x.splits : 1) == (y.splits > 1 ? y.splits : 1) &&
	    (x.group > 0 ? x.group : x.stages) == (y.group > 0 ? y.group : y.stages) &&
	    (x.order == NULL) == (y.order == NULL) && (x.order == NULL || strcmp(x.order, y.order) == 0) &&
	    x.fixed == y.fixed && same_devices(a, b) && a->transfers == b->transfers && a->offload == b->offload &&
	    a->micro_factor.n == 0 && b->micro_factor.n == 0;
}

/*
 * Return the next plan, from record *I on, that answers question Q and fits its own limits. *ASKED: its question, with
 * these limits.
 */
static const struct record *
next_plan(const struct records *r, const struct pipeline *q, size_t *i, const struct pipeline **asked)
{
	for (; *i < r->n; ++*i) {
		const struct record *rec = &r->at[*i];

		if (rec->kind == RECORD_PIPELINE)
			*asked = &rec->pipeline;
		if (rec->kind != RECORD_PLAN || *asked == NULL || !same_question(*asked, q) ||
		    rec->plan.schedule != q->schedule || rec->plan.interleave != q->interleave ||
		    (rec->plan.micro_batches > 0 && rec->plan.micro_batches != q->micro_batches) ||
		    !GIVEN(plan, &rec->plan, status) || rec->plan.status == PLAN_INFEASIBLE)
			continue;
		++*i;
		return rec;
	}
	return NULL;
}

static double
limit_of(const struct pipeline *q, int stage)
{
	return q->memory_limit.n > 0 ? list_get(q->memory_limit, stage) : INFINITY;
}

/* Return whether every limit of A is at least the limit of B. */
static bool
as_roomy(const struct pipeline *a, const struct pipeline *b)
{
	for (int s = 0; s < b->stages; s++)
		if (limit_of(a, s) < limit_of(b, s))
			return false;
	return true;
}

/* Return the simulated step of a plan, ms. */
static double
simulated(const struct plan *plan, const struct pipeline *q, const struct network *net, struct place at)
{
	struct shape shape = pipeline_shape(q);
	struct devices devices = pipeline_devices(q);
	struct schedule sched = schedule_new(&shape);
	struct simulation sim = { 0 };
	struct load load;
	double step;

	load_check(plan, net, &shape, at);
	load = load_from_plan(plan, net, &shape, &devices);
	step = simulation_run(&sim, &sched, &load) ? sim.step_time : INFINITY;
	simulation_free(&sim);
	load_free(&load);
	schedule_free(&sched);
	return step;
}

static enum mixes
mixes_of(const struct pipeline *q)
{
	return GIVEN(pipeline, q, mixes) ? (enum mixes)q->mixes : MIXES_YAML;
}

/* Return whether question A, which plan P answers, allows every plan for question B that the target runs. */
static bool
as_many_plans(const struct pipeline *a, const struct plan *p, const struct pipeline *b, enum target target)
{
	if (GIVEN(plan, p, target))
		return strcmp(p->target, target_names[target]) == 0 && mixes_of(a) == mixes_of(b);
	return mixes_of(a) == MIXES_ALL || (mixes_of(a) == MIXES_YAML && mixes_of(b) == MIXES_YAML);
}

double
known_bound(const struct records *r, const struct pipeline *q, const struct network *net, enum target target)
{
	const struct pipeline *asked = NULL;
	const struct record *rec;
	double bound = 0;

	for (size_t i = 0; (rec = next_plan(r, q, &i, &asked)) != NULL; ) {
		const struct plan *plan = &rec->plan;
		double step;

		if (!GIVEN(plan, plan, lower_bound) || !GIVEN(plan, plan, step_time) || !as_roomy(asked, q) ||
		    !as_many_plans(asked, plan, q, target) || (q->empty && !asked->empty) ||
		    (net->alone && !GIVEN(plan, plan, target)))
			continue;
		step = simulated(plan, q, net, rec->place) < INFINITY ? end_to_end_time(plan, net, q) : INFINITY;
		if (fabs(step - plan->step_time) > SAME * plan->step_time)
			warnx("%s:%ld: plan '%s': with these layers its step takes %.10g ms, not %.10g ms: its bound "
			    "is not used", rec->place.source, rec->place.line, plan->name, step, plan->step_time);
		else
			bound = fmax(bound, plan->lower_bound - end_to_end_overhead(net->model, q->stages));
	}
	return bound;
}

const struct plan *
known_shortest(const struct records *r, const struct pipeline *q, const struct network *net)
{
	const struct pipeline *asked = NULL;
	const struct plan *shortest = NULL;
	const struct record *rec;
	double best = INFINITY;

	for (size_t i = 0; (rec = next_plan(r, q, &i, &asked)) != NULL; ) {
		double step = simulated(&rec->plan, q, net, rec->place);

		if (step < best) {
			best = step;
			shortest = &rec->plan;
		}
	}
	return shortest;
}

struct needs {		/* maximum needs of a piece: MB per micro-batch, and ms */
	double activation, kept, backward, weight;
};

/*
 * Return the fastest mix of a piece that needs no more memory than MOST. With problem.parts, the result must also take
 * no more time in either part of the backward. Return -1 if no such mix exists.
 */
static int
first_within(const struct problem *p, int piece, int content, struct needs most)
{
	const struct pareto_front *front = contents_front(&p->contents, content);
	double ms[2 * PHASES], input = most.backward - most.weight;

	for (int m = 0; m < front->n; m++) {
		const struct mix *x = &front->mix[m];

		double same = 1 + SAME_ACTIVATION * p->net->layers;

		if (x->activation > most.activation * same ||
		    p->contents.content[content].kept + x->kept > most.kept * same)
			continue;
		phase_times(p, piece, piece_times(p, piece, &p->contents.content[content], x), ms);
		if (!p->parts || (ms[PHASE_I] <= input * (1 + SAME) && ms[PHASE_W] <= most.weight * (1 + SAME)))
			return m;
	}
	return -1;
}

/*
 * Make a plan with the same layers, and mixes that first_within() finds. Return false if a mix is missing, or the plan
 * does not fit.
 */
static bool
take(const struct problem *p, const struct plan *plan, struct candidate *c)
{
	struct load load = load_from_plan(plan, p->net, &p->shape, p->devices);
	int layers[p->pieces], *order = schedule_pieces(&p->shape);
	struct needs most[p->pieces];
	bool placed;

	for (int i = 0; i < p->pieces; i++) {
		layers[i] = 0;
		for (int b = 0; b < p->net->nbodies; b++)
			layers[i] += load_layers(plan, &p->net->body[b], p->plan_piece[i], order);
		most[i] = (struct needs){ load.activation.at[p->plan_piece[i]], load.kept.at[p->plan_piece[i]],
			load.backward.at[p->plan_piece[i]], load.weight.at[p->plan_piece[i]] };
	}
	placed = candidate_lay_out(p, layers, c);
	load_free(&load);
	free(order);
	if (!placed)
		return false;
	for (int i = 0; i < p->pieces; i++) {
		c->mix[i] = first_within(p, i, c->content[i], most[i]);
		if (c->mix[i] < 0)
			return false;
	}
	return candidate_fits(p, c);
}

bool
known_plan(const struct records *r, const struct pipeline *q, const struct problem *p, struct candidate *out)
{
	const struct pipeline *asked = NULL;
	const struct record *rec;
	struct candidate c = candidate_new(p);
	double best = INFINITY;

	for (size_t i = 0; (rec = next_plan(r, q, &i, &asked)) != NULL; ) {
		double step = simulated(&rec->plan, q, p->net, rec->place);

		if (step < best && take(p, &rec->plan, &c)) {
			best = step;
			candidate_copy(p, out, &c);
		}
	}
	candidate_free(&c);
	return best < INFINITY;
}
