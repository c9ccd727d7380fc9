/* Anchors: times of layers that were measured, carried over to other shapes. */
#include "anchor.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "interval.h"
#include "lib/base/alloc.h"
#include "lib/base/numbers.h"

/* A degree of 1 is another program. An e-fold of a size further, times are off so much more; as if of so many runs. */
#define SLOPE 0.08
#define SLOPES 2
#define LEAST 0.01	/* that a measured time is off */
#define OPTIMIZER 0.1
#define OTHER 0.3	/* what another program is off */
/* Of a step's error, what no part of it explains: where no run tells it, and the least where runs do. */
#define LEFT 0.05
#define LEFT_LEAST 0.01
enum { NEAREST = 3, TRIALS = 8 };	/* TRIALS: steps that say by how much intervals are too wide or too narrow */
static const double same = 1e-9, near = 0.05;

static double
ratio(double a, double b)
{
	return a > 0 && b > 0 ? fabs(log(a / b)) : a == b ? 0 : INFINITY;
}

/* Sum of logarithms of what a layer's shapes are made of; INFINITY: of another program. */
static double
distance(const struct anchor *a, const struct architecture *n, const struct division *d)
{
	const struct configuration *c = &a->of;
	const struct architecture *m = &a->net;
	double far;

	if ((c->tp > 1) != (d->tp > 1) || (c->cp > 1) != (d->cp > 1) || (c->ep > 1) != (d->ep > 1) ||
	    (d->cp > 1 && c->cp_kind != d->cp_kind) || (d->tp > 1 && c->sp != d->sp) ||
	    m->hidden_size != n->hidden_size)
		return INFINITY;
	far = ratio((double)m->num_heads / c->tp, (double)n->num_heads / d->tp) + ratio(c->cp, d->cp) +
	    ratio(c->mbs, d->mbs) + ratio(m->seq_length, n->seq_length);
	if (n->experts > 0 || m->experts > 0)
		far += ratio((double)m->experts / c->ep, (double)n->experts / d->ep) + ratio(c->etp, d->etp);
	/* Fewer heads on fewer devices are the same shapes, but other collectives. */
	far += 0.1 * (ratio(c->tp, d->tp) + ratio(c->ep, d->ep));
	/* Settings that change times, not shapes. */
	return far + 0.3 * ((c->dispatcher != d->dispatcher) + (c->ep_overlap != d->ep_overlap) +
	    (c->graph != d->graph) + (c->attention8 != d->attention8));
}

/* A weighted mean of logarithms. */
struct mean {
	double sum, weight;
};

static void
mean_add(struct mean *m, double measured, double then, double computed, double weight)
{
	if (!(measured >= 0) || !(computed > 0) || !(then > 0))
		return;
	m->sum += weight * log(fmax(measured, 1e-12) * computed / then);
	m->weight += weight;
}

static bool
mean_take(const struct mean *m, double *x)
{
	if (m->weight > 0)
		*x = exp(m->sum / m->weight);
	return m->weight > 0;
}

/* The nearest anchors, at most NEAREST, nearest first; those of the very shapes alone where there are. How many. */
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
apply_layer(const struct measured *m, int kind, int n, const int at[], const double weight[], struct layer_cost *l)
{
	struct mean forward = { 0 }, backward = { 0 }, again = { 0 }, memory = { 0 };
	double f = l->forward, b = l->backward;

	for (int i = 0; i < n; i++) {
		const struct anchor *a = &m->anchor[at[i]];
		const struct measured_layer *of = &a->layer[kind];
		const struct layer_cost *then = &a->then.layer[kind];

		mean_add(&forward, of->forward, then->forward, f, weight[i]);
		mean_add(&backward, of->backward, then->backward, b, weight[i]);
		if (of->forward > 0 && of->again[KEEP_FULL] >= 0)
			mean_add(&again, of->again[KEEP_FULL] / of->forward, 1, 1, weight[i]);
		mean_add(&memory, of->memory[KEEP_ALL], then->memory[KEEP_ALL], l->memory[KEEP_ALL], weight[i]);
	}
	mean_take(&memory, &l->memory[KEEP_ALL]);
	if (mean_take(&forward, &l->forward)) {
		double each = 1;

		mean_take(&again, &each);
		/* What a kind runs again is a part of the forward. */
		for (int r = KEEP_SELECT; r < RECOMPUTATIONS; r++)
			l->again[r] *= l->forward / f;
		l->again[KEEP_FULL] = each * l->forward;
	}
	mean_take(&backward, &l->backward);
	/* What was measured has its communication in it; that is told apart as it was computed. */
	l->forward_compute += l->forward - f;
	l->backward_compute += l->backward - b;
}

static bool
apply_end(const struct measured *m, bool head, int n, const int at[], const double weight[], struct end_cost *e)
{
	struct mean forward = { 0 }, backward = { 0 };

	for (int i = 0; i < n; i++) {
		const struct anchor *a = &m->anchor[at[i]];
		const struct measured_layer *of = head ? &a->head : &a->tail;
		const struct end_cost *then = head ? &a->then.embedding : &a->then.head;

		mean_add(&forward, of->forward, then->forward, e->forward, weight[i]);
		mean_add(&backward, of->backward, then->backward, e->backward, weight[i]);
	}
	mean_take(&forward, &e->forward);
	return mean_take(&backward, &e->backward) || forward.weight > 0;
}

void
anchors_apply(const struct measured *m, const struct architecture *n, int without, struct costs *k)
{
	int at[NEAREST + 1];
	double far[NEAREST + 1], weight[NEAREST], error = 0;
	int found = nearest_of(m, n, &k->of, without, at, far);
	bool any = false;
	int source = found == 0 ? SOURCE_COMPUTED : far[0] <= same ? SOURCE_MEASURED : SOURCE_FITTED;

	/* Of another program runs tell only how far formulas are off here, all alike. */
	for (int i = 0; i < m->nanchors && source == SOURCE_COMPUTED && found < NEAREST; i++)
		if (i != without && m->anchor[i].net.hidden_size == n->hidden_size) {
			at[found] = i;
			far[found++] = OTHER / SLOPE;
		}
	if (found == 0)
		return;
	for (int i = 0; i < found; i++) {
		weight[i] = 1 / (far[i] + near);
		error = fmax(error, m->anchor[at[i]].error);
	}
	for (int kind = 0; kind < LAYER_KINDS; kind++)
		if (m->anchor[at[0]].layer[kind].forward >= 0) {
			apply_layer(m, kind, found, at, weight, &k->layer[kind]);
			any = true;
		}
	error = hypot(fmax(error, LEAST), source == SOURCE_MEASURED ? 0 : source == SOURCE_FITTED ? m->slope * far[0] :
	    OTHER);
	if (any)
		k->layers = (struct grounds){ source, error };
	any = apply_end(m, true, found, at, weight, &k->embedding);
	if (apply_end(m, false, found, at, weight, &k->head) || any)
		k->ends = (struct grounds){ source, error };
}

/* Of least squares; neither part of it below 0. */
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
	return (struct grounds){ there ? SOURCE_MEASURED : SOURCE_FITTED,
		OPTIMIZER + SLOPE * fmax(0, fmax(log(b->least / computed), log(computed / b->most))) };
}

/* How far times of anchors are off, a unit of distance further: by each that others say; as usual where few do. */
static double
anchors_slope(const struct measured *m)
{
	double sum = SLOPES * SLOPE * SLOPE, n = SLOPES;

	for (int i = 0; i < m->nanchors; i++) {
		const struct anchor *a = &m->anchor[i];
		struct costs k = a->then;
		double far[NEAREST + 1], said = 0, measured = 0;
		int at[NEAREST + 1];

		if (nearest_of(m, &a->net, &k.of, i, at, far) == 0 || far[0] <= same)
			continue;
		anchors_apply(m, &a->net, i, &k);
		for (int t = 0; t < LAYER_KINDS; t++)
			if (a->layer[t].forward >= 0 && a->layer[t].backward >= 0) {
				said += k.layer[t].forward + k.layer[t].backward;
				measured += a->layer[t].forward + a->layer[t].backward;
			}
		if (said > 0 && measured > 0) {
			sum += pow(log(said / measured) / far[0], 2);
			n++;
		}
	}
	return sqrt(sum / n);
}

/* As they are computed: what is measured is told by the ratio to that. */
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

/* What every step is by those of the others: the rest of its error, and how wide intervals should be. */
static void
try_anchors(struct measured *m, const struct cluster *c, const struct estimating *how)
{
	double *off = xcalloc((size_t)m->nanchors, sizeof *off), *all = xcalloc((size_t)m->nanchors, sizeof *all);
	double sum = 0;
	size_t n = 0;

	m->left = LEFT_LEAST;
	m->stretch = 1;
	for (int i = 0; i < m->nanchors; i++) {
		struct estimator *e = estimator_without(&m->anchor[i].net, c, how, m, i);
		struct appraisal a = estimate_fully(e, &m->anchor[i].of);

		if (m->anchor[i].step > 0 && a.costs->layers.source != SOURCE_COMPUTED) {
			off[n] = fabs(log(a.brief.step_time / m->anchor[i].step));
			all[n] = interval_deviation(&a);
			sum += off[n] * off[n] - all[n] * all[n];
			n++;
		}
		estimator_free(e);
	}
	m->left = n == 0 ? LEFT : fmax(LEFT_LEAST, sqrt(fmax(sum, 0) / (double)n));
	for (size_t i = 0; i < n; i++)
		off[i] /= INTERVAL_NORMAL * hypot(all[i], m->left);
	if (n >= TRIALS) {
		numbers_sort(off, n);
		m->stretch = fmin(fmax(off[(size_t)ceil(0.9 * (double)n) - 1], 0.3), 3);
	}
	free(off);
	free(all);
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
	m->slope = anchors_slope(m);
	try_anchors(m, c, how);
}
