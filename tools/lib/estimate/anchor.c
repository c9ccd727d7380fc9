#include "anchor.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/alloc.h"
#include "interval.h"

/*
 * SLOPE: prior error per e-fold of a size. EXPECTED: number of runs that a prior error weighs as. OPTIMIZER: error of
 * the time outside the pipeline.
 */
#define SLOPE 0.08
#define EXPECTED 2
#define OPTIMIZER 0.1
#define OTHER 0.3	/* error of a layer time from a run of another program */
#define LEFT 0.05	/* default standard deviation of a step that its parts do not explain */
#define STEP_ALONE 0.02	/* error of layer times that are derived from a step time alone */
enum { ROUNDS = 6 };		/* number of iterations to match a step */
/* NEAREST: maximum number of anchors for a time; TRIALS: minimum number of steps to calibrate intervals */
enum { NEAREST = 3, TRIALS = 8 };
static const double same = 1e-9, near = 0.05;

static double
ratio(double a, double b)
{
	return a > 0 && b > 0 ? fabs(log(a / b)) : a == b ? 0 : INFINITY;
}

/* Return the sum of the logarithmic differences of two shapes of layers; INFINITY: different programs. */
static double
distance(const struct anchor *a, const struct architecture *n, const struct division *d)
{
	const struct configuration *c = &a->of;
	const struct architecture *m = &a->net;
	double far;

	if ((c->tp > 1) != (d->tp > 1) || (c->cp > 1) != (d->cp > 1) || (c->ep > 1) != (d->ep > 1) ||
	    (d->cp > 1 && c->cp_kind != d->cp_kind) || (d->tp > 1 && c->sp != d->sp) ||
	    c->fused != d->fused || m->hidden_size != n->hidden_size)
		return INFINITY;
	far = ratio((double)m->num_heads / c->tp, (double)n->num_heads / d->tp) + ratio(c->cp, d->cp) +
	    ratio(c->mbs, d->mbs) + ratio(m->seq_length, n->seq_length);
	if (n->experts > 0 || m->experts > 0)
		far += ratio((double)m->experts / c->ep, (double)n->experts / d->ep) + ratio(c->etp, d->etp);
	/* Half the heads on half the devices have the same shapes but other collectives. */
	far += 0.1 * (ratio(c->tp, d->tp) + ratio(c->ep, d->ep));
	/* These settings change times but not shapes. */
	return far + 0.3 * ((c->dispatcher != d->dispatcher) + (c->ep_overlap != d->ep_overlap) +
	    (c->graph != d->graph) + (c->attention8 != d->attention8));
}

/* Anchors from which a time is extrapolated, with distance and weight. */
struct tellers {
	int n, at[NEAREST + 1];
	double far[NEAREST + 1], weight[NEAREST + 1];
	bool between;		/* two anchors that differ only in the size of the micro-batch: interpolate linearly */
};

/* A weighted mean: of times if PLAIN, otherwise of the logarithms of measured / computed. */
struct anchor_mean {
	bool plain;
	double sum, weight;
};

static void
mean_add(struct anchor_mean *m, double measured, double then, double computed, double weight)
{
	if (!(measured >= 0) || !(computed > 0) || !(then > 0))
		return;
	m->sum += weight * (m->plain ? measured : log(fmax(measured, 1e-12) * computed / then));
	m->weight += weight;
}

static bool
mean_take(const struct anchor_mean *m, double *x)
{
	if (m->weight > 0)
		*x = m->plain ? m->sum / m->weight : exp(m->sum / m->weight);
	return m->weight > 0;
}

/* Find up to NEAREST anchors, nearest first. If some have equal shapes, use only these. Return their number. */
static int
nearest_of(const struct measured *m, const struct architecture *n, const struct division *d, int without,
    int at[NEAREST], double far[NEAREST])
{
	int found = 0;

	for (int i = 0; i < m->nanchors; i++) {
		double f = i == without ? INFINITY : distance(&m->anchor[i], n, d);
		int k = found;

		if (!(f < INFINITY))
			continue;
		while (k > 0 && f < far[k - 1])
			k--;
		if (k == NEAREST)
			continue;
		found = found < NEAREST ? found + 1 : NEAREST;
		memmove(at + k + 1, at + k, (size_t)(found - 1 - k) * sizeof *at);
		memmove(far + k + 1, far + k, (size_t)(found - 1 - k) * sizeof *far);
		at[k] = i;
		far[k] = f;
	}
	while (found > 1 && far[0] <= same && far[found - 1] > same)
		found--;
	return found;
}

static void
apply_layer(const struct measured *m, int kind, const struct tellers *t, struct layer_cost *l)
{
	/* Memory is proportional to the micro-batch. Times are interpolated only between two such runs. */
	struct anchor_mean forward = { .plain = t->between }, backward = forward, memory = { 0 }, again = { 0 };
	double f = l->forward, b = l->backward, forward_time = f, backward_time = b;

	for (int i = 0; i < t->n; i++) {
		const struct anchor *a = &m->anchor[t->at[i]];
		const struct measured_layer *of = &a->layer[kind];
		const struct layer_cost *then = &a->then.layer[kind];

		mean_add(&forward, of->forward, then->forward, f, t->weight[i]);
		mean_add(&backward, of->backward, then->backward, b, t->weight[i]);
		if (of->forward > 0 && of->again[KEEP_FULL] >= 0)
			mean_add(&again, of->again[KEEP_FULL] / of->forward, 1, 1, t->weight[i]);
		mean_add(&memory, of->memory[KEEP_ALL], then->memory[KEEP_ALL], l->memory[KEEP_ALL], t->weight[i]);
	}
	mean_take(&memory, &l->memory[KEEP_ALL]);
	if (mean_take(&forward, &forward_time)) {
		double each = 1;

		mean_take(&again, &each);
		/* Recomputation repeats a part of the forward, so scale it alike. */
		for (int r = KEEP_SELECT; r < RECOMPUTATIONS; r++)
			l->again[r] *= forward_time / f;
		l->again[KEEP_FULL] = each * forward_time;
	}
	mean_take(&backward, &backward_time);
	layer_retime(l, forward_time, backward_time);
}

static bool
apply_end(const struct measured *m, bool head, const struct tellers *t, struct end_cost *e)
{
	struct anchor_mean forward = { .plain = t->between }, backward = forward;

	for (int i = 0; i < t->n; i++) {
		const struct anchor *a = &m->anchor[t->at[i]];
		const struct measured_layer *of = head ? &a->head : &a->tail;
		const struct end_cost *then = head ? &a->then.embedding : &a->then.head;

		mean_add(&forward, of->forward, then->forward, e->forward, t->weight[i]);
		mean_add(&backward, of->backward, then->backward, e->backward, t->weight[i]);
	}
	mean_take(&forward, &e->forward);
	return mean_take(&backward, &e->backward) || forward.weight > 0;
}

/*
 * Find two anchors with equal shapes, of the next smaller and the next larger micro-batch. Return false if either does
 * not exist.
 */
static bool
enclosing(const struct measured *m, const struct architecture *n, const struct division *d, int without,
    struct tellers *t)
{
	int low = -1, high = -1;

	for (int i = 0; i < m->nanchors; i++) {
		struct division like = *d;
		int mbs = like.mbs = m->anchor[i].of.mbs;

		if (i == without || mbs == d->mbs || distance(&m->anchor[i], n, &like) > same)
			continue;
		if (mbs < d->mbs && (low < 0 || mbs > m->anchor[low].of.mbs))
			low = i;
		if (mbs > d->mbs && (high < 0 || mbs < m->anchor[high].of.mbs))
			high = i;
	}
	if (low < 0 || high < 0)
		return false;
	*t = (struct tellers){ .n = 2, .at = { low, high }, .between = true, .weight = {
		m->anchor[high].of.mbs - d->mbs, d->mbs - m->anchor[low].of.mbs } };
	t->far[0] = fmin(ratio(m->anchor[low].of.mbs, d->mbs), ratio(m->anchor[high].of.mbs, d->mbs));
	return true;
}

/*
 * Set T to the anchors from which times of layers in division D are extrapolated, other than the anchor WITHOUT. Return
 * the enum measured_source of such times.
 */
static int
tellers_of(const struct measured *m, const struct architecture *n, const struct division *d, int without,
    struct tellers *t)
{
	*t = (struct tellers){ .n = 0 };
	t->n = nearest_of(m, n, d, without, t->at, t->far);
	if (t->n > 0 && t->far[0] > same && enclosing(m, n, d, without, t))
		return SOURCE_FITTED;
	for (int i = 0; i < t->n; i++)
		t->weight[i] = 1 / (t->far[i] + near);
	if (t->n > 0)
		return t->far[0] <= same ? SOURCE_MEASURED : SOURCE_FITTED;
	/* Anchors of another program only correct errors that all formulas share. */
	for (int i = 0; i < m->nanchors && t->n < NEAREST; i++)
		if (i != without && m->anchor[i].net.hidden_size == n->hidden_size) {
			t->weight[t->n] = 1;
			t->at[t->n++] = i;
		}
	return SOURCE_COMPUTED;
}

void
anchors_apply(const struct measured *m, const struct architecture *n, int without, struct costs *k)
{
	struct tellers t;
	double error = 0;
	bool any = false;
	int source = tellers_of(m, n, &k->of, without, &t);

	if (t.n == 0)
		return;
	for (int i = 0; i < t.n; i++)
		error = fmax(error, m->anchor[t.at[i]].error);
	for (int kind = 0; kind < n->classes.n; kind++)
		if (m->anchor[t.at[0]].layer[kind].forward >= 0) {
			apply_layer(m, kind, &t, &k->layer[kind]);
			any = true;
		}
	error = hypot(fmax(error, m->repeat), source == SOURCE_COMPUTED ? OTHER : m->slope * t.far[0]);
	if (any)
		k->layers = (struct grounds){ .source = source, .error = error };
	any = apply_end(m, true, &t, &k->embedding);
	if (apply_end(m, false, &t, &k->head) || any)
		k->ends = (struct grounds){ .source = source, .error = error };
}

/* Fit by least squares with nonnegative coefficients. */
struct besides
anchors_besides(const struct measured *m, int without)
{
	struct besides of = { .least = INFINITY };
	double n = 0, x = 0, y = 0, xx = 0, xy = 0;

	for (int i = 0; i < m->nanchors; i++) {
		const struct anchor *p = &m->anchor[i];
		double t = p->optimizer_then;

		if (i == without || p->optimizer < 0 || !(t > 0))
			continue;
		n++;
		x += t;
		y += p->optimizer;
		xx += t * t;
		xy += t * p->optimizer;
		of.least = fmin(of.least, t);
		of.most = fmax(of.most, t);
	}
	if (n == 0)
		return of;
	of.known = true;
	of.rate = of.most > 1.01 * of.least ? (n * xy - x * y) / (n * xx - x * x) : xy / xx;
	of.rate = fmax(of.rate, 0);
	of.base = (y - of.rate * x) / n;
	if (of.base < 0) {
		of.base = 0;
		of.rate = xy / xx;
	}
	return of;
}

double
besides_time(const struct besides *b, double computed)
{
	return b->known ? b->base + b->rate * computed : computed;
}

struct grounds
besides_grounds(const struct besides *b, double computed)
{
	bool there = b->known && b->most <= 1.01 * b->least && ratio(computed, b->most) <= 0.01;

	if (!b->known)
		return (struct grounds){ 0 };
	return (struct grounds){ .source = there ? SOURCE_MEASURED : SOURCE_FITTED, .error =
		OPTIMIZER + SLOPE * fmax(0, fmax(log(b->least / computed), log(computed / b->most))) };
}

/*
 * Estimate the errors of times predicted from anchors, with equal shapes and per unit of distance. For this, predict
 * each anchor from all other anchors.
 */
static void
compare_anchors(struct measured *m)
{
	double slope = EXPECTED * SLOPE * SLOPE, repeat = EXPECTED * ANCHOR_REPEAT * ANCHOR_REPEAT;
	double nslope = EXPECTED, nrepeat = EXPECTED;

	for (int i = 0; i < m->nanchors; i++) {
		const struct anchor *a = &m->anchor[i];
		struct costs k = a->then;
		double said = 0, measured = 0, off;
		struct tellers t;
		int source = tellers_of(m, &a->net, &k.of, i, &t);

		if (source == SOURCE_COMPUTED)
			continue;
		anchors_apply(m, &a->net, i, &k);
		for (int kind = 0; kind < a->net.classes.n; kind++)
			if (a->layer[kind].forward >= 0 && a->layer[kind].backward >= 0) {
				said += k.layer[kind].forward + k.layer[kind].backward;
				measured += a->layer[kind].forward + a->layer[kind].backward;
			}
		if (!(said > 0) || !(measured > 0))
			continue;
		off = log(said / measured);
		if (source == SOURCE_MEASURED) {
			/* Both runs have this error, so their difference has twice its variance. */
			repeat += off * off / 2;
			nrepeat++;
		} else {
			slope += pow(off / t.far[0], 2);
			nslope++;
		}
	}
	m->slope = sqrt(slope / nslope);
	m->repeat = sqrt(repeat / nrepeat);
}

/* Compute an anchor's costs, to which its measurements are compared. */
static void
compute_anchor(struct anchor *a, const struct cluster *c, double imbalance)
{
	const struct measured none = measured_none();
	const struct estimating how = { .imbalance = imbalance, .measured = none };
	struct estimator *e = estimator_without(&a->net, c, &how, &none, -1);
	struct appraisal p = estimate_fully(e, &a->of);

	a->then = *p.costs;
	a->optimizer_then = p.part[STEP_OPTIMIZER];
	estimator_free(e);
}

static bool
has_layers(const struct anchor *a)
{
	for (int kind = 0; kind < a->net.classes.n; kind++)
		if (a->layer[kind].forward >= 0)
			return true;
	return false;
}

/* Multiply the times of layers and ends by FACTOR. Used for an anchor of which only the step was measured. */
static void
scale_layers(struct anchor *a, double factor)
{
	for (int kind = 0; kind < a->net.classes.n; kind++) {
		a->layer[kind].forward = factor * a->then.layer[kind].forward;
		a->layer[kind].backward = factor * a->then.layer[kind].backward;
	}
	a->head.forward = factor * a->then.embedding.forward;
	a->head.backward = factor * a->then.embedding.backward;
	a->tail.forward = factor * a->then.head.forward;
	a->tail.backward = factor * a->then.head.backward;
}

/* Find the factor with which the estimate equals the measured step. The time outside the pipeline stays as computed. */
static void
solve_layers(struct anchor *a, const struct measured *m, const struct cluster *c, const struct estimating *how)
{
	struct measured alone = *m;
	double factor = 1;

	alone.anchor = a;
	alone.nanchors = 1;
	for (int i = 0; i < ROUNDS; i++) {
		struct estimator *e;
		struct appraisal p;
		double outside;

		scale_layers(a, factor);
		e = estimator_without(&a->net, c, how, &alone, -1);
		p = estimate_fully(e, &a->of);
		outside = p.part[STEP_PP] + p.part[STEP_DP] + p.part[STEP_OPTIMIZER];
		factor *= fmax(a->step - outside, 0.1 * a->step) / (p.brief.step_time - outside);
		estimator_free(e);
	}
	scale_layers(a, factor);
	a->error = fmax(a->error, STEP_ALONE);
}

/*
 * Predict the step of anchor I from all other anchors. Set the predicted variance and the squared error. Return false
 * if the other anchors cannot predict the step.
 */
static bool
try_anchor(const struct measured *m, const struct cluster *c, const struct estimating *how, int i, double *variance,
    double *off)
{
	struct estimator *e = estimator_without(&m->anchor[i].net, c, how, m, i);
	struct appraisal a = estimate_fully(e, &m->anchor[i].of);
	bool tried = m->anchor[i].step > 0 && a.costs->layers.source != SOURCE_COMPUTED;

	*variance = pow(interval_deviation(&a), 2);
	*off = pow(log(a.brief.step_time / m->anchor[i].step), 2);
	estimator_free(e);
	return tried;
}

/*
 * Predict the step of every anchor from all other anchors. Estimate the error that the parts of a step do not explain,
 * and the width of intervals.
 */
static void
try_anchors(struct measured *m, const struct cluster *c, const struct estimating *how)
{
	struct trial *trial = xcalloc((size_t)m->nanchors, sizeof *trial);
	struct measured flat = *m;
	double sum = 0;
	size_t n = 0;

	m->left = flat.left = flat.slope = 0;
	for (int i = 0; i < m->nanchors; i++) {
		struct trial *t = &trial[n];

		if (!try_anchor(m, c, how, i, &t->all, &t->off))
			continue;
		try_anchor(&flat, c, how, i, &t->alike, &t->off);
		sum += t->off - t->all;
		n++;
	}
	m->left = n == 0 ? LEFT : sqrt(fmax(sum, 0) / (double)n);
	if (n >= TRIALS)
		m->slope *= interval_factor(trial, n, m->left);
	free(trial);
}

void
anchors_prepare(struct measured *m, const struct cluster *c, const struct estimating *how)
{
	struct anchor *own = xcalloc((size_t)m->nanchors + 1, sizeof *own);

	if (m->nanchors > 0)
		memcpy(own, m->anchor, (size_t)m->nanchors * sizeof *own);
	m->anchor = own;
	if (m->nanchors == 0)
		return;
	for (int i = 0; i < m->nanchors; i++)
		compute_anchor(&m->anchor[i], c, how->imbalance);
	for (int i = 0; i < m->nanchors; i++)
		if (!has_layers(&m->anchor[i]))
			solve_layers(&m->anchor[i], m, c, how);
	compare_anchors(m);
	try_anchors(m, c, how);
}
