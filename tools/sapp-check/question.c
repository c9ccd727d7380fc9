/* Question: converts records to exact numbers. */
#include "question.h"

#include <stdlib.h>
#include <string.h>

#include "lib/base/alloc.h"

/*
 * Set the backward of a layer's kind as sapp-record(5) defines it: backward_time of the kind, otherwise (1 +
 * coefficient) times the backward without recomputation, otherwise 2 x time.
 */
static void
set_backward(mpq_t out, const struct layer *l, int kind)
{
	struct kind_figures of = layer_figures(l, kind), plain = layer_figures(l, RECOMPUTE_NONE);
	double forward = GIVEN(layer, l, forward_time) ? l->forward_time : l->time;
	double busy = GIVEN(layer, l, busy_time) && l->busy_time < forward ? l->busy_time : forward;
	bool measured = GIVEN(kind_figures, &plain, backward_time);
	mpq_t more;

	if (GIVEN(kind_figures, &of, backward_time)) {
		mpq_set_d(out, of.backward_time);
		return;
	}
	mpq_init(more);
	mpq_set_d(out, measured ? plain.backward_time : GIVEN(layer, l, time) ? l->time : l->forward_time);
	if (!measured)
		mpq_mul_2exp(out, out, 1);
	if (measured && !GIVEN(kind_figures, &of, backward_coef)) {
		mpq_t share;

		mpq_init(share);
		mpq_set_d(share, recompute_default_share[kind]);
		mpq_set_d(more, busy);
		mpq_mul(more, more, share);
		mpq_clear(share);
	} else {
		mpq_set_d(more, GIVEN(kind_figures, &of, backward_coef) ? of.backward_coef :
		    kind < RECOMPUTE_BUILT_IN ? recompute_default_coef[kind] : plain.backward_coef);
		mpq_mul(more, more, out);
	}
	mpq_add(out, out, more);
	mpq_clear(more);
}

/* Exit because certificates do not cover the question. */
static _Noreturn void
beyond(struct place at, const char *what)
{
	place_die(at, "this question cannot be certified: %s", what);
}

static void
add_body(struct check_question *q, const struct layer *l, unsigned said)
{
	struct check_body *b;
	bool any = false;
	mpq_t time;

	q->body = xreallocarray(q->body, (size_t)q->nbodies + 1, sizeof *q->body);
	b = &q->body[q->nbodies++];
	*b = (struct check_body){ .name = l->name, .end = l->type != LAYER_BODY, .layers = l->nb_layer,
	    .tail = l->type == LAYER_TAIL, .predicts = target_predicts(l->name) };
	b->forward = ledger_add_double(&q->ms, GIVEN(layer, l, forward_time) ? l->forward_time : l->time);
	b->parameter = ledger_add_double(&q->mb, l->memory_parameter);
	b->transient = ledger_add_double(&q->mb, l->memory_transient);
	b->floor = ledger_add_double(&q->mb, l->memory_floor);
	mpq_init(time);
	for (int k = 0; k < RECOMPUTE_KINDS; k++) {
		struct kind_figures of = layer_figures(l, k);

		b->has[k] = GIVEN(kind_figures, &of, activation) && (of.activation > 0 || k >= RECOMPUTE_BUILT_IN) &&
		    (of.offload == 0 || GIVEN(pipeline, q->asked, offload));
		any |= b->has[k];
		b->activation[k] = ledger_add_double(&q->mb, of.activation);
		/* A kind that waits for the offloading link is not faster, and keeps at least this memory. */
		set_backward(time, l, k);
		b->backward[k] = ledger_add(&q->ms, time);
	}
	mpq_clear(time);
	for (int k = 0; k < RECOMPUTE_KINDS; k++)
		b->has[k] = b->end ? k == RECOMPUTE_NONE : any ? b->has[k] && (said >> k & 1) : k == RECOMPUTE_NONE;
	q->layers += b->layers;
}

/* Return whether unbound layers of a type keep activations. */
static bool
keeps(const struct records *all, int type)
{
	bool any = false;

	for (size_t i = 0; i < all->n; i++) {
		const struct layer *l = &all->at[i].layer;

		if (all->at[i].kind == RECORD_LAYER && (int)l->type == type && GIVEN(layer, l, bound) && !l->bound)
			any |= layer_figures(l, RECOMPUTE_NONE).activation > 0;
	}
	return any;
}

/*
 * Return whether a layer counts as bound. Layers that a target places in the first or last piece also count as bound,
 * if unbound layers of their type keep no activations.
 */
static bool
is_bound(const struct check_question *q, const struct records *all, const struct layer *l)
{
	bool predicts = target_predicts(l->name) && q->holding.predicting == PREDICTING_LAST_CHUNK;

	return !(GIVEN(layer, l, bound) && !l->bound) ||
	    (!q->holding.anywhere && !predicts && !keeps(all, (int)l->type));
}

/* Add the exact numbers of the bound HEAD or TAIL layers: sums, and the maximum of transient memory. */
static void
add_end(struct check_question *q, const struct records *all, int type, struct check_end *e)
{
	mpq_t sum[3], each, n;
	double transient = 0;

	for (int i = 0; i < 3; i++)
		mpq_init(sum[i]);
	mpq_init(each);
	mpq_init(n);
	for (size_t i = 0; i < all->n; i++) {
		const struct layer *l = &all->at[i].layer;

		if (all->at[i].kind != RECORD_LAYER || (int)l->type != type || !is_bound(q, all, l))
			continue;
		e->there = true;
		mpq_set_si(n, l->nb_layer, 1);
		for (int k = 0; k < 3; k++) {
			if (k == 1)
				set_backward(each, l, RECOMPUTE_NONE);
			else
				mpq_set_d(each, k == 2 ? l->memory_parameter :
				    GIVEN(layer, l, forward_time) ? l->forward_time : l->time);
			mpq_mul(each, each, n);
			mpq_add(sum[k], sum[k], each);
		}
		transient = l->memory_transient > transient ? l->memory_transient : transient;
	}
	e->forward = ledger_add(&q->ms, sum[0]);
	e->backward = ledger_add(&q->ms, sum[1]);
	e->parameter = ledger_add(&q->mb, sum[2]);
	e->transient = ledger_add_double(&q->mb, transient);
	for (int i = 0; i < 3; i++)
		mpq_clear(sum[i]);
	mpq_clear(each);
	mpq_clear(n);
}

static const struct operators *
operators_of(const struct records *all, int kind)
{
	const struct operators *of = NULL;

	for (size_t i = 0; i < all->n; i++)
		if (all->at[i].kind == RECORD_KIND && strcmp(all->at[i].operators.name, recompute_names[kind]) == 0)
			of = &all->at[i].operators;
	return of;
}

static struct texts
patterns_of(const struct operators *of, bool comm)
{
	return of == NULL ? (struct texts){ 0 } : comm ? of->select_comm_recompute : of->select_recompute;
}

static bool
has_pattern(const struct records *all, int kind, bool comm, const char *pattern)
{
	struct texts has = patterns_of(operators_of(all, kind), comm);
	bool any = kind == RECOMPUTE_FULL;

	if (kind == RECOMPUTE_BOTH)
		return has_pattern(all, RECOMPUTE_SELECT, comm, pattern) ||
		    has_pattern(all, RECOMPUTE_COMM, comm, pattern);
	for (int i = 0; i < has.n && !any; i++)
		any = strcmp(has.at[i], pattern) == 0;
	return any;
}

/*
 * Return whether kind A has all patterns of kind B. Without kind records, select and comm have one pattern each, which
 * no other kind has alone.
 */
static bool
stands_for(const struct records *all, int a, int b)
{
	const struct operators *of = operators_of(all, b);
	int n = patterns_of(of, false).n + patterns_of(of, true).n;
	bool every = true;

	if (a == b || b == RECOMPUTE_NONE)
		return true;
	if (b == RECOMPUTE_FULL)
		return false;
	if (b == RECOMPUTE_BOTH)
		return stands_for(all, a, RECOMPUTE_SELECT) && stands_for(all, a, RECOMPUTE_COMM);
	if (n == 0)
		return a == RECOMPUTE_FULL || a == RECOMPUTE_BOTH || b >= RECOMPUTE_BUILT_IN;
	for (int comm = 0; comm < 2; comm++)
		for (int i = 0; i < patterns_of(of, comm).n; i++)
			every &= has_pattern(all, a, comm, patterns_of(of, comm).at[i]);
	return every;
}

/*
 * Set the kinds that lists can express, and which may follow which; return the set. These are the built-in kinds, and
 * kinds whose patterns are in records: see -mixes of sapp-lp(1).
 */
static unsigned
set_mixes(struct check_question *q, const struct records *all)
{
	unsigned said = (1u << RECOMPUTE_BUILT_IN) - 1;
	bool any = GIVEN(pipeline, q->asked, mixes) && q->asked->mixes != MIXES_YAML;

	/* Plans with equal recomputation of all pieces are a subset of all plans. */
	q->any_mix = q->any_order || any;
	for (size_t i = 0; i < all->n; i++) {
		const struct operators *o = &all->at[i].operators;

		if (all->at[i].kind == RECORD_KIND && (o->layer_swap ||
		    o->select_recompute.n + o->select_comm_recompute.n + o->op_swap.n > 0))
			said |= 1u << recompute_kind(o->name, all->at[i].place);
	}
	for (int a = 0; a <= NO_KIND; a++)
		for (int b = 0; b < recompute_known(); b++)
			q->follows[a][b] = q->any_mix || a == NO_KIND ||
			    (a < recompute_known() && stands_for(all, a, b));
	return any ? ~0u : said;
}

/* Add the layers in model order: unbound HEAD layers, BODY layers, unbound TAIL layers. */
static void
add_layers(struct check_question *q, const struct records *all, unsigned said)
{
	static const int order[] = { LAYER_HEAD, LAYER_BODY, LAYER_TAIL };

	for (int t = 0; t < 3; t++)
		for (size_t i = 0; i < all->n; i++) {
			const struct layer *l = &all->at[i].layer;

			if (all->at[i].kind != RECORD_LAYER || l->type != order[t])
				continue;
			if (!GIVEN(layer, l, time) && !GIVEN(layer, l, forward_time))
				place_die(all->at[i].place, "layer: '%s' has no time", l->name);
			if (l->type == LAYER_BODY || !is_bound(q, all, l))
				add_body(q, l, said);
		}
	add_end(q, all, LAYER_HEAD, &q->head);
	add_end(q, all, LAYER_TAIL, &q->tail);
}

/* Return the model record. Exits if records or layers name several models. */
static const struct model *
only_model(const struct records *all)
{
	const struct model *m = NULL;
	const char *name = NULL;

	for (size_t i = 0; i < all->n; i++) {
		const struct record *r = &all->at[i];
		const char *of = r->kind == RECORD_MODEL ? r->model.name :
		    r->kind == RECORD_LAYER && GIVEN(layer, &r->layer, model_name) ? r->layer.model_name : NULL;

		if (r->kind == RECORD_MODEL && m != NULL)
			beyond(r->place, "the records have several models");
		if (r->kind == RECORD_LAYER && of != NULL && name != NULL && strcmp(of, name) != 0)
			beyond(r->place, "the records have several models");
		name = r->kind == RECORD_LAYER && of != NULL ? of : name;
		m = r->kind == RECORD_MODEL ? &r->model : m;
	}
	return m;
}

static double
on(struct list l, int stage)
{
	return l.n == 0 ? 0 : list_get(l, stage);
}

/* Add the time outside of the pipeline, as sapp(7) defines it. */
static void
add_overhead(struct check_question *q, const struct model *m)
{
	struct list none = { 0 }, all = m != NULL ? m->overhead : none, early = m != NULL ? m->overhead_early : none;
	mpq_t rest, of, part;

	mpq_init(rest);
	mpq_init(of);
	mpq_init(part);
	for (int s = 0; s < q->asked->stages; s++) {
		q->late[s] = ledger_add_double(&q->ms, on(early, s));
		mpq_set_d(of, on(all, s));
		mpq_set_d(part, on(early, s));
		mpq_sub(of, of, part);
		if (mpq_cmp(of, rest) > 0)
			mpq_set(rest, of);
	}
	q->rest = ledger_add(&q->ms, rest);
	mpq_clear(rest);
	mpq_clear(of);
	mpq_clear(part);
}

/*
 * Add the limits and the factors 1 / speed. The tolerance of plans that fit is added to limits: 1e-7 MB and 1e-12 of
 * the limit.
 */
static void
add_stages(struct check_question *q)
{
	const struct pipeline *a = q->asked;
	mpq_t x, y;

	mpq_init(x);
	mpq_init(y);
	for (int s = 0; s < a->stages; s++) {
		mpq_set_d(x, list_get(a->memory_limit, s));
		mpq_set_d(y, 1e-12);
		mpq_mul(y, y, x);
		mpq_add(x, x, y);
		mpq_set_d(y, 1e-7);
		mpq_add(x, x, y);
		q->limit[s] = ledger_add(&q->mb, x);
		mpq_set_d(x, a->speed.n > 0 ? list_get(a->speed, s) : 1);
		mpq_inv(x, x);
		q->paces[s] = ledger_add(&q->pace, x);
		q->delay[s] = ledger_add_double(&q->ms, a->comm_time.n == 1 ? a->comm_time.at[0] :
		    s < a->comm_time.n ? a->comm_time.at[s] : 0);
	}
	mpq_clear(x);
	mpq_clear(y);
}

/* Return whether a layer has a kind of recomputation that offloads, and the pipeline has a link for it. */
static bool
offloads(const struct pipeline *a, const struct records *all)
{
	bool any = false;

	for (size_t i = 0; i < all->n; i++)
		for (int k = 0; k < recompute_known() && all->at[i].kind == RECORD_LAYER; k++)
			any |= layer_figures(&all->at[i].layer, k).offload > 0;
	return any && GIVEN(pipeline, a, offload);
}

/* Exit unless certificates cover the question. For some questions they cover only properties of all orders. */
static void
check_reach(struct check_question *q, const struct pipeline *a, const struct records *all, struct place at)
{
	q->rule = rule_find(schedule_names[a->schedule]);
	if (q->rule == NULL)
		place_die(at, "no proof exists for the schedule '%s'", schedule_names[a->schedule]);
	if (GIVEN(pipeline, a, overlap) && a->overlap < 1)
		beyond(at, "an overlapped forward and backward take less than their sum");
	if (GIVEN(pipeline, a, seq_split) && a->seq_split > 1)
		beyond(at, "sequences are split");
	if (a->micro_factor.n > 0)
		beyond(at, "micro-batches take different times");
	q->any_order = q->rule->order == ORDER_ANY;
	q->unsimulated = q->any_order || offloads(a, all) || (GIVEN(pipeline, a, transfers) &&
	    a->transfers != TRANSFERS_HIDDEN && list_any(a->comm_time));
	if (a->memory_limit.n != 1 && a->memory_limit.n != a->stages)
		place_die(at, "pipeline: memory_limit: %d numbers for %d stages", a->memory_limit.n, a->stages);
	if (a->speed.n > 1 && a->speed.n != a->stages)
		place_die(at, "pipeline: speed: %d numbers for %d stages", a->speed.n, a->stages);
	if (q->rule->chunks != 0 && a->interleave != q->rule->chunks)
		place_die(at, "pipeline: %s has %d chunks a stage, not '%d'", q->rule->name, q->rule->chunks,
		    a->interleave);
	if (a->interleave > 1 && GIVEN(pipeline, a, group) && a->group < a->stages)
		place_die(at, "pipeline: group: fewer than the stages '%d'", a->group);
	if ((double)a->stages * a->interleave * a->micro_batches > 1e7)
		beyond(at, "more than 10000000 operations of a kind");
}

int
question_position(const struct check_question *q, int stage, int chunk)
{
	bool back = q->rule->chunks == 2 && chunk == 1;

	return chunk * q->asked->stages + (back ? q->asked->stages - 1 - stage : stage);
}

int
question_ends(const struct check_question *q, int stage, int chunk, const struct check_end *at[2])
{
	int n = 0;

	if (stage == 0 && chunk == 0)
		at[n++] = &q->head;
	if (question_position(q, stage, chunk) == q->pieces - 1)
		at[n++] = &q->tail;
	return n;
}

bool
question_holds(const struct check_question *q, int stage, int chunk, const int *count)
{
	const struct check_end *end[2];
	int layers = 0, bodies = 0, predicting = 0, all = 0, place = question_position(q, stage, chunk);
	bool ends = false, anywhere = q->holding.anywhere;

	for (int b = 0; b < q->nbodies; b++) {
		const struct check_body *of = &q->body[b];

		if (!anywhere && of->end && !of->predicts && count[b] > 0 && place != (of->tail ? q->pieces - 1 : 0))
			return false;
		bodies += !of->end || of->predicts ? count[b] : 0;
		layers += count[b];
		predicting += q->body[b].predicts ? count[b] : 0;
		all += q->body[b].predicts ? q->body[b].layers : 0;
	}
	for (int i = question_ends(q, stage, chunk, end); i-- > 0; )
		ends |= end[i]->there;
	if (layers == 0)
		return ends ? q->holding.alone : q->asked->empty;
	if (!anywhere && bodies == 0 && !q->holding.alone)
		return false;
	return predicting == 0 || q->holding.predicting == PREDICTING_ANYWHERE || (predicting == all &&
	    predicting_at(q->holding.predicting, &q->shape, chunk * q->asked->stages + stage, place));
}

/* Set the restrictions of the plan's target. Exits if the target is unknown. */
static void
set_holding(struct check_question *q, struct place at)
{
	enum target target = TARGET_ANY;

	if (GIVEN(plan, q->plan, target)) {
		while (target < TARGETS && strcmp(target_names[target], q->plan->target) != 0)
			target++;
		if (target == TARGETS)
			place_die(at, "plan: target: unknown '%s'", q->plan->target);
	}
	q->shape = pipeline_shape(q->asked);
	q->holding = target_holding(target, q->shape.kind);
}

void
question_open(struct check_question *q, const struct records *all, const char *name, const double *bound,
    struct place at)
{
	const struct pipeline *asked = NULL;
	const struct model *model = only_model(all);
	struct place place = at;

	*q = (struct check_question){ 0 };
	for (size_t i = 0; i < all->n && q->plan == NULL; i++) {
		if (all->at[i].kind == RECORD_PIPELINE)
			asked = &all->at[i].pipeline;
		if (all->at[i].kind == RECORD_PLAN && strcmp(all->at[i].plan.name, name) == 0) {
			q->plan = &all->at[i].plan;
			place = all->at[i].place;
		}
	}
	if (q->plan == NULL)
		place_die(at, "no plan record has the name '%s'", name);
	if (asked == NULL)
		place_die(place, "plan: no pipeline record before it: '%s'", name);
	q->asked = asked;
	q->chunks = asked->interleave;
	q->pieces = q->chunks * asked->stages;
	check_reach(q, asked, all, place);
	set_holding(q, place);
	ledger_open(&q->ms);
	ledger_open(&q->mb);
	ledger_open(&q->pace);
	q->limit = xcalloc((size_t)asked->stages, sizeof *q->limit);
	q->paces = xcalloc((size_t)asked->stages, sizeof *q->paces);
	q->delay = xcalloc((size_t)asked->stages, sizeof *q->delay);
	q->late = xcalloc((size_t)asked->stages, sizeof *q->late);
	add_layers(q, all, set_mixes(q, all));
	if (q->nbodies == 0)
		place_die(place, "no layer record of type BODY");
	q->constant = ledger_add_double(&q->mb, model != NULL ? model->stage_const_mem : 0);
	add_stages(q);
	overhead_check(model != NULL ? model->overhead : (struct list){ 0 },
	    model != NULL ? model->overhead_early : (struct list){ 0 }, asked->stages, "model", place);
	add_overhead(q, model);
	if (!q->any_order)
		question_order(q);
	q->bound = bound != NULL ? ledger_add_double(&q->ms, *bound) : -1;
	ledger_settle(&q->ms);
	ledger_settle(&q->mb);
	ledger_settle(&q->pace);
}

void
check_question_free(struct check_question *q)
{
	ledger_free(&q->ms);
	ledger_free(&q->mb);
	ledger_free(&q->pace);
	free(q->body);
	free(q->limit);
	free(q->paces);
	free(q->delay);
	free(q->late);
	free(q->order);
}
