/*
 * Lower bounds over all plans with the same layer times. The bounds assume one copy of the model in the pipeline, no
 * empty piece, and backwards that are not split. Recomputation and transfers can only add time, so the bounds ignore
 * them. sapp-est(1) sketches the proofs.
 *
 * With more pieces than layers, any piece may be empty. Embedding and head may then be on any piece, so the bounds
 * assume no layer next to another or next to an end.
 */
#include "bound.h"

#include <math.h>

#include "in_flight.h"

/*
 * Return the bound for plain 1F1B. A stage also waits during passes for which too few other micro-batches are
 * available.
 */
static double
bound_1f1b(double m, double p, double w)
{
	return m > p ? (m + p - 1) * w / p : 2 * p * w / (2 * p - m + 1);
}

static double
bound_plain(const struct configuration *c, const struct bound_work *w)
{
	double m = c->micro_batches, p = c->pp;
	/* Each stage waits before its first forward and after its last backward. */
	double b = w->all / (1 - pow(1 - 1 / m, p));

	if (c->schedule == ORDER_1F1B)
		b = m > p ? fmax(b, bound_1f1b(m, p, w->all)) : bound_1f1b(m, p, w->all);
	if (c->schedule == ORDER_GPIPE)
		b = fmax(b, (m + p - 1) * w->all / p);
	/*
	 * In addition to all work of the last stage, one micro-batch must pass all other stages before it or after it.
	 */
	return fmax(b, w->all + (m - 1) * (w->head + w->last));
}

static double
bound_interleaved(const struct configuration *c, const struct bound_work *w)
{
	double m = c->micro_batches, p = c->pp, others = (c->vp - 1) * w->least, full = w->ends_alone ? p - 2 : p - 1;

	/*
	 * A micro-batch's forward precedes its loss, and its backward follows its loss. The last stage computes all
	 * losses.
	 */
	if (w->alone)
		return w->all + (m - 1) * w->head;
	/* Each stage waits for the pieces before its first one. Only the first of these pieces may be empty. */
	return fmax(m * w->all / p + (p - 1) / 2 * (w->ends_alone ? full / p : 1) * w->least +
	    (p - 1) / p * w->embedding, m * (w->head + w->last + others) + w->embedding + full * w->least);
}

double
bound_of(const struct configuration *c, const struct bound_work *w)
{
	double m = c->micro_batches, p = c->pp, others = (c->vp - 1) * w->least, b;

	if (c->pp == 1)
		return m * w->all;
	b = fmax(m * w->all / p, m * w->most);
	b = fmax(b, fmax(m * (w->embedding + w->first + others), m * (w->head + w->last + others)));
	b = fmax(b, w->all);
	return fmax(b, c->vp == 1 ? bound_plain(c, w) : bound_interleaved(c, w));
}

double
bound_below(const struct architecture *n, const struct configuration *c, const struct costs *k)
{
	int count[CLASSES_MOST];
	struct bound_work w = { .least = INFINITY, .embedding = k->embedding.forward + k->embedding.backward,
		.head = k->head.forward + k->head.backward };
	double each[CLASSES_MOST];

	architecture_counts(n, count);
	for (int t = 0; t < n->classes.n; t++) {
		each[t] = k->layer[t].forward + k->layer[t].backward;
		if (count[t] == 0)
			continue;
		w.all += count[t] * each[t];
		w.most = fmax(w.most, each[t]);
		w.least = fmin(w.least, each[t]);
	}
	w.all += w.embedding + w.head;
	w.first = each[architecture_class_of(n, 0)];
	w.last = each[parameters_last(n)];
	if (pieces_alone(c, n->layers)) {
		w.alone = true;
		w.first = w.last = w.least = 0;
	} else if (c->alone) {
		w.ends_alone = true;
		w.first = w.last = 0;
	}
	return bound_of(c, &w);
}
