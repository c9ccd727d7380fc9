/* Memory and times of the stages of an even split, and the step that results. */
#include "estimator.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/alloc.h"
#include "lib/cost/bound.h"
#include "lib/cost/in_flight.h"
#include "lib/cost/layer_work.h"
#include "lib/cost/reach.h"
#include "lib/cost/reduction.h"
#include "lib/cost/stage_memory.h"
#include "lib/cost/traffic.h"
#include "lib/cost/two_stages.h"
#include "anchor.h"
#include "operator_cost.h"
#include "prepared.h"
#include "sources.h"

#define MEGA 1048576.0
/*
 * Relative standard deviations of a step from an operator table: of time in no operator; of memory traffic. From 22
 * steps on 8 B200.
 */
#define OPERATORS_LEFT 0.03
#define OPERATORS_BYTES 0.1
/*
 * Standard deviations of figures that are not fitted to such steps. All candidates share this error, so comparisons of
 * them ignore it. BORROWED: figures for experts, for another number type, or operators of another device; from 94
 * published steps outside the fit. DENSE: figures of another device for a dense network; from 74 such steps.
 */
#define BORROWED 0.366
#define DENSE 0.15

enum { VOCABULARY_UNIT = 128 };			/* Megatron-LM pads the vocabulary to a multiple of this times tp */

struct estimator {
	const struct architecture *net;
	struct architecture padded;		/* the network with Megatron-LM's padded vocabulary */
	struct cluster cluster;			/* with the measured overlap, if any */
	const struct estimating *how;
	struct measured measured;		/* with prepared anchors */
	struct besides besides;
	bool owner;				/* the estimator owns these anchors */
	double flops_per_token;
	struct prepared *prepared;
	struct reduction reduction;
	double *memory, *state;			/* lists of the last full estimate */
};

struct estimator *
estimator_without(const struct architecture *n, const struct cluster *c, const struct estimating *how,
    const struct measured *anchors, int without)
{
	struct estimator *e = xcalloc(1, sizeof *e);

	e->net = n;
	e->cluster = *c;
	e->how = how;
	e->measured = *anchors;
	e->besides = anchors_besides(anchors, without);
	e->flops_per_token = model_flops_per_token(n, n->causal && !how->noncausal);
	/*
	 * With an operator table no collective is hidden, unless a run measured the hidden fraction. Allocations follow
	 * from the lists of operators.
	 */
	if (!operator_table_empty(&anchors->operators)) {
		e->cluster.overlap = (struct overlap){ 0 };
		e->cluster.dispatch.alltoall.n = 0;
		FORGET(cluster, &e->cluster, reserve);
		e->cluster.reserve = 0;
		e->padded = *n;
		if (!GIVEN(architecture, n, vocab_multiple))
			e->padded.vocab_multiple = VOCABULARY_UNIT;
		e->net = &e->padded;
	}
	if (anchors->hidden >= 0)
		e->cluster.overlap.dp = anchors->hidden;
	e->prepared = prepared_new(e->net, &e->cluster, how, &e->measured, without);
	return e;
}

struct estimator *
estimator_new(const struct architecture *n, const struct cluster *c, const struct estimating *how)
{
	struct measured m = how->measured;
	struct estimator *e;

	anchors_prepare(&m, c, how);
	e = estimator_without(n, c, how, &m, -1);
	e->owner = true;
	return e;
}

void
estimator_free(struct estimator *e)
{
	prepared_free(e->prepared);
	if (e->owner)
		free(e->measured.anchor);
	free(e->memory);
	free(e->state);
	free(e);
}

/* The intermediate values of one estimate. */
struct estimator_work {
	struct estimator *e;
	const struct configuration *c;
	const struct costs *k;
	const struct stage_split *s;
	const struct device_parameters *p;
	double transfer;	/* s per stage and micro-batch, exposed */
	double gather;		/* bytes of gathered parameters */
	double known;		/* measured / computed memory */
	double room;		/* memory that a device must have / computed memory */
	double more;		/* bytes, measured - computed memory */
};

static double
memory_of(const struct estimator_work *w, const struct stage_class *s, int stage, int recompute,
    double part[MEMORY_PARTS])
{
	const struct stage_memory m = { w->e->net, w->c, w->k, w->p, w->e->cluster.reserve * MEGA };

	return stage_memory_peak(&m, s, stage, recompute, part);
}

/*
 * Replace the memory of the stage that needs most by the measured peak. Other stages keep their computed difference to
 * it.
 */
static double
stage_peak(const struct estimator_work *w, const struct stage_class *s, int stage, int recompute,
    double part[MEMORY_PARTS])
{
	double all = memory_of(w, s, stage, recompute, part), measured = all * w->known;

	if (w->known == 1)
		return all;
	part[MEMORY_ACTIVATION] += measured - all;
	return measured;
}

static bool
fits(const struct estimator_work *w, int recompute)
{
	double part[MEMORY_PARTS], limit = w->e->cluster.memory_limit * MEGA;

	if (!(w->e->cluster.memory_limit > 0))
		return true;
	for (int i = 0; i < w->s->nclasses; i++)
		if (w->room * stage_peak(w, &w->s->class[i], w->s->class[i].at, recompute, part) > limit)
			return false;
	return true;
}

static double
worst_memory(const struct estimator_work *w, int recompute)
{
	double part[MEMORY_PARTS], worst = 0;

	for (int i = 0; i < w->s->nclasses; i++)
		worst = fmax(worst, memory_of(w, &w->s->class[i], w->s->class[i].at, recompute, part));
	return worst;
}

/*
 * Return measured / computed memory of the stage that needs most, both for the measured vp and mbs. Return 1 if no peak
 * was measured.
 */
static double
known_memory(struct estimator_work *w, int recompute)
{
	struct configuration c = *w->c;
	struct measured_peak peak;
	struct estimator_work as_measured = *w;
	struct costs then;
	double known;

	if (w->e->how->measured.npeaks == 0 || !measured_peak(&w->e->how->measured, w->c, &peak))
		return 1;
	if ((c.vp > 1) != (peak.vp > 1))
		c.schedule = c.pp == 1 ? ORDER_NONE : peak.vp == 1 ? ORDER_1F1B : ORDER_INTERLEAVED;
	c.vp = peak.vp;
	c.mbs = peak.mbs;
	c.micro_batches = (int)fmax(1, (double)c.micro_batches * w->c->mbs / peak.mbs);
	then = *prepared_costs(w->e->prepared, &c);
	w->k = prepared_costs(w->e->prepared, w->c);
	as_measured.c = &c;
	as_measured.k = &then;
	known = peak.memory / worst_memory(&as_measured, recompute);
	w->more = (known - 1) * worst_memory(w, recompute);
	return known;
}

static int
choose_recompute(struct estimator_work *w, bool *fit)
{
	/*
	 * Without a requested kind of recomputation, dryruns of whole configurations are taken as fully recomputed,
	 * which is their default.
	 */
	int asked = configuration_recompute(w->c), measured = asked != KEEP_FIRST ? asked : KEEP_FULL;

	w->known = known_memory(w, measured);
	w->room = w->known == 1 && cluster_allocates(&w->e->cluster) ? CLUSTER_ROOM : 1;
	if (w->known != 1) {
		*fit = fits(w, measured);
		return measured;
	}
	if (asked != KEEP_FIRST) {
		*fit = fits(w, asked);
		return asked;
	}
	for (int r = KEEP_ALL; r <= KEEP_FULL; r++)
		if ((*fit = fits(w, r)))
			return r;
	return KEEP_FULL;
}

static struct estimator_work
begin(struct estimator *e, const struct configuration *c)
{
	struct estimator_work w = { .e = e, .c = c, .k = prepared_costs(e->prepared, c),
	    .p = prepared_parameters(e->prepared, c), .known = 1 };

	w.s = prepared_split(e->prepared, c, w.k);
	w.gather = stage_memory_gathered(e->net, c, w.p);
	if (!reduction_is_for(&e->reduction, c))
		e->reduction = reduction_of(e->net, &e->cluster, &e->measured.collectives, c,
		    (double)w.p->largest);
	w.transfer = c->pp == 1 ? 0 : 2 * (c->vp > 1 ? c->vp : 1) * (1 - e->cluster.overlap.pp) *
	    route_time(e->reduction.transfer, 1, w.k->boundary);
	return w;
}

/* Get forward and backward of a stage's layers and ends per micro-batch, s, including recomputation. */
static void
stage_times(const struct estimator_work *w, const struct stage_class *s, int recompute, double *forward,
    double *backward)
{
	*forward = *backward = 0;
	for (int t = 0; t < w->e->net->classes.n; t++)
		if (s->layers[t] > 0) {
			*forward += s->layers[t] * w->k->layer[t].forward;
			*backward += s->layers[t] * (w->k->layer[t].backward + w->k->layer[t].again[recompute]);
		}
	if (s->first) {
		*forward += w->k->embedding.forward;
		*backward += w->k->embedding.backward;
	}
	if (s->last) {
		*forward += w->k->head.forward;
		*backward += w->k->head.backward;
	}
}

struct estimator_step {
	double time, longest, sum;	/* s per micro-batch: longest stage; sum over stages */
	struct outside outside;
	double computed;	/* s of the optimizer, maximum over stages */
};

/*
 * Return the seconds of a stage's optimizer. They come from the operator table if it has a rate, otherwise from
 * COMPUTED.
 */
static double
optimizer_time(const struct estimator_work *w, const struct stage_class *s, double computed)
{
	struct parameters p = stage_parameters(w->e->net, w->p, s);
	struct shards shards = shards_of(w->c);
	double dense = (double)p.dense, routed = (double)p.routed;
	double known = operators_optimizer(&w->e->measured.operators, dense, routed, dense / shards.dense +
	    routed / shards.routed, (double)w->c->dp * w->c->cp);

	return known >= 0 ? known : computed;
}

static struct estimator_step
step_of(const struct estimator_work *w, int recompute)
{
	struct estimator_step r = { 0 };

	for (int i = 0; i < w->s->nclasses; i++) {
		const struct stage_class *s = &w->s->class[i];
		struct outside outside;
		double forward, backward, all;

		stage_times(w, s, recompute, &forward, &backward);
		all = forward + backward + w->transfer;
		r.longest = fmax(r.longest, all);
		r.sum += s->count * all;
		outside = reduction_times(&w->e->reduction, w->e->net, &w->e->cluster, w->c,
		    stage_parameters(w->e->net, w->p, s),
		    forward, backward);
		outside.optimizer = optimizer_time(w, s, outside.optimizer);
		r.computed = fmax(r.computed, outside.optimizer);
		outside.optimizer = besides_time(&w->e->besides, outside.optimizer);
		if (i == 0 || outside.exposed + outside.optimizer > r.outside.exposed + r.outside.optimizer)
			r.outside = outside;
	}
	reduction_tied(&w->e->reduction, w->e->net, w->c, &r.outside);
	r.time = w->c->micro_batches * r.longest + (r.sum - r.longest) / (w->c->pp == 1 ? 1 : w->c->vp) +
	    r.outside.exposed + r.outside.optimizer;
	return r;
}

static struct brief
brief_of(struct estimator_work *w, struct estimator_step *step)
{
	struct brief b;
	double embedding = w->k->embedding.forward + w->k->embedding.backward;

	b.recompute = choose_recompute(w, &b.fits);
	*step = step_of(w, b.recompute);
	b.lower_bound = bound_below(w->e->net, w->c, w->k) + step->outside.exposed + step->outside.optimizer;
	/* The pass through all other stages has only a part of the embedding, and the bound has all of it. */
	b.step_time = step->time = fmax(step->time,
	    fmin(b.lower_bound, step->time + embedding * (1 - 1.0 / w->c->vp)));
	return b;
}

struct brief
estimate_briefly(struct estimator *e, const struct configuration *c)
{
	struct estimator_work w = begin(e, c);
	struct estimator_step step;

	return brief_of(&w, &step);
}

static struct reach_layer
reach_layer(const struct estimator_work *w, int kind, int count)
{
	const struct layer_cost *l = &w->k->layer[kind];
	struct reach_layer r = { .count = count, .work = l->forward + l->backward,
		.state = stage_memory_state(w->e->net, w->c, w->p->layer[kind]) };

	for (int k = KEEP_ALL; k <= KEEP_FULL; k++) {
		r.again[k] = l->again[k];
		r.memory[k] = l->memory[k];
	}
	return r;
}

/* Return a layer with the minimum of each figure over all classes. No layer of any class is below it. */
static struct reach_layer
least_layer(const struct estimator_work *w)
{
	struct reach_layer all = reach_layer(w, 0, w->e->net->layers);

	for (int t = 1; t < w->e->net->classes.n; t++) {
		struct reach_layer one = reach_layer(w, t, 0);

		all.work = fmin(all.work, one.work);
		all.state = fmin(all.state, one.state);
		for (int k = KEEP_ALL; k <= KEEP_FULL; k++) {
			all.again[k] = fmin(all.again[k], one.again[k]);
			all.memory[k] = fmin(all.memory[k], one.memory[k]);
		}
	}
	return all;
}

bool
estimate_reaches(struct estimator *e, const struct configuration *c, double time)
{
	struct estimator_work w = begin(e, c);
	const struct architecture *n = e->net;
	bool fit, plain = n->pattern.n == 0;
	int recompute = choose_recompute(&w, &fit), count[CLASSES_MOST];
	struct estimator_step step = step_of(&w, recompute);
	double work = stage_memory_work(w.k, n, architecture_counts(n, count), recompute);
	struct parameters tail = parameters_tail(n, w.p);
	int first = plain ? architecture_class_of(n, 0) : 0;
	struct reach r = { .layer = { plain ? reach_layer(&w, KIND_DENSE, count[KIND_DENSE]) : least_layer(&w),
	    plain ? reach_layer(&w, KIND_MOE, count[KIND_MOE]) : (struct reach_layer){ 0 } },
		.first = first,
		.parted = plain && architecture_count(n, first, count[first]) == count[first],
		.head_work = w.k->embedding.forward + w.k->embedding.backward,
		.tail_work = w.k->head.forward + w.k->head.backward,
		.head_state = stage_memory_state(n, c, parameters_embedding(n, w.p)),
		.tail_state = stage_memory_state(e->net, c, tail) + w.k->head_memory +
		fmax(0, w.k->logits + w.k->gathered - work),
		.constant = e->cluster.reserve * MEGA + w.gather + work + w.more,
		/* The memory of recomputed modules is unknown here, so the bound ignores the limit of memory. */
		.limit = configuration_modules(c) != 0 ? 0 : e->cluster.memory_limit * MEGA / w.room };

	if (c->pp > 1)
		r.transfer = (1 - e->cluster.overlap.pp) * route_time(e->reduction.transfer, 1, w.k->boundary);
	time -= step.outside.exposed + step.outside.optimizer;
	if (pieces_alone(c, e->net->layers)) {
		r.empty = true;
		r.ends_work = r.head_work + r.tail_work;
		r.head_work = r.tail_work = r.head_state = r.tail_state = 0;
		return reach_below(&r, c, time);
	}
	r.ends_alone = c->alone;
	return reach_below(&r, c, time) && two_stages_below(&r, c, time);
}

/* Divide the times of all layers and micro-batches, averaged over stages, into the parts of the step. */
static void
divide_step(const struct estimator_work *w, const struct estimator_step *step, struct appraisal *a)
{
	int count[CLASSES_MOST];
	double each = (double)w->c->micro_batches / w->c->pp, *part = a->part, known = 0;

	architecture_counts(w->e->net, count);
	for (int t = 0; t < w->e->net->classes.n; t++) {
		const struct layer_cost *l = &w->k->layer[t];
		double all = each * count[t];

		part[STEP_FORWARD] += all * l->forward_compute;
		part[STEP_BACKWARD] += all * (l->backward_compute + l->again[a->brief.recompute]);
		part[STEP_TP] += all * 2 * l->tp;
		part[STEP_CP] += all * (l->cp[0] + l->cp[1]);
		part[STEP_EP] += all * 2 * l->ep;
		for (int s = 0; s < LAYER_SHARES; s++)
			a->layer_share[s] += all * l->detail.share[s];
	}
	part[STEP_HEAD] = each * (w->k->embedding.forward + w->k->embedding.backward + w->k->head.forward +
	    w->k->head.backward);
	part[STEP_PP] = w->c->micro_batches * w->transfer;
	part[STEP_DP] = step->outside.exposed;
	part[STEP_OPTIMIZER] = step->outside.optimizer;
	for (int i = 0; i < STEP_BUBBLE; i++)
		known += part[i];
	part[STEP_BUBBLE] = step->time - known;
}

static void
list_memory(const struct estimator_work *w, struct appraisal *a)
{
	double most = -1, part[MEMORY_PARTS];

	w->e->memory = xreallocarray(w->e->memory, (size_t)w->c->pp, sizeof *w->e->memory);
	w->e->state = xreallocarray(w->e->state, (size_t)w->c->pp, sizeof *w->e->state);
	for (int i = 0; i < w->c->pp; i++) {
		double all = stage_peak(w, &w->s->class[w->s->of[i]], i, a->brief.recompute, part);

		w->e->memory[i] = all;
		w->e->state[i] = part[MEMORY_STATIC];
		if (all > most) {
			most = all;
			memcpy(a->memory_part, part, sizeof part);
		}
	}
	/*
	 * If a measured peak is below the sum of all other parts, activations would be negative. Then scale every part.
	 */
	if (a->memory_part[MEMORY_ACTIVATION] < 0) {
		for (int i = 0; i < MEMORY_PARTS; i++)
			a->memory_part[i] *= most / (most - a->memory_part[MEMORY_ACTIVATION]);
		a->memory_part[MEMORY_ACTIVATION] = 0;
	}
	a->memory = w->e->memory;
	a->stage_state = w->e->state;
}

static bool
has_experts(const struct architecture *n)
{
	for (int i = 0, count[CLASSES_MOST]; i < n->classes.n; i++)
		if (kind_of(architecture_class(n, i)) == KIND_MOE && architecture_counts(n, count)[i] > 0)
			return true;
	return false;
}

static double
borrowed_deviation(const struct estimator *e)
{
	const struct cluster *c = &e->cluster;

	if (c->confidence == CONFIDENCE_NONE || (has_experts(e->net) && (c->confidence == CONFIDENCE_BORROWED ||
	    !(c->detailed && GIVEN(cluster, c, confidence)))))
		return BORROWED;
	return c->confidence == CONFIDENCE_BORROWED ? DENSE : 0;
}

struct appraisal
estimate_fully(struct estimator *e, const struct configuration *c)
{
	struct estimator_work w = begin(e, c);
	struct estimator_step step;
	struct appraisal a = { .brief = brief_of(&w, &step), .costs = w.k, .split = w.s, .parameters = *w.p,
	    .gather = w.gather };
	const struct reduction *r = &e->reduction;
	double devices = (double)c->dp * c->tp * c->cp * c->pp;
	double tokens = (double)c->micro_batches * c->mbs * c->dp * e->net->seq_length;

	a.more = w.more;
	a.room = w.room;
	a.reserve = e->cluster.reserve * MEGA;
	a.besides = besides_grounds(&e->besides, step.computed);
	/* The source of the larger part of the replicas' communication counts for all of it. */
	a.network = sources_grounds(r->dense.known, c->zero == 0 ? (double)c->dp * c->cp : r->shards.dense);
	a.transfers = sources_grounds(r->transfer.known, 2);
	a.left = e->measured.nanchors > 0 ? e->measured.left : -1;
	if (e->measured.nanchors == 0 && !operator_table_empty(&e->measured.operators)) {
		a.left = OPERATORS_LEFT;
		a.borrowed = e->measured.operators.borrowed ? BORROWED : 0;
		a.besides = (struct grounds){ .source = SOURCE_FITTED, .error = OPERATORS_BYTES };
	} else if (e->measured.nanchors == 0) {
		a.borrowed = borrowed_deviation(e);
	}
	a.repeat = e->measured.nanchors > 0 ? e->measured.repeat : ANCHOR_REPEAT;
	divide_step(&w, &step, &a);
	sources_divide(&a);
	list_memory(&w, &a);
	a.tokens_per_second = tokens / step.time / devices;
	a.mfu = e->flops_per_token * tokens / (step.time * devices * e->cluster.peak * 1e12);
	a.reduction = step.outside.all;
	a.transfer = c->pp == 1 ? 0 : route_time(e->reduction.transfer, 1, w.k->boundary);
	return a;
}

bool
estimate_measured(struct estimator *e, const struct configuration *c)
{
	return e->measured.nanchors > 0 && begin(e, c).k->layers.source != SOURCE_COMPUTED;
}
