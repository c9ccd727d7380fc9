#include "measured.h"

#include <math.h>
#include <stdlib.h>

#include "anchor.h"

struct measured_layer
measured_layer_none(void)
{
	struct measured_layer l = { .forward = -1, .backward = -1 };

	for (int r = 0; r < RECOMPUTATIONS; r++)
		l.again[r] = l.memory[r] = -1;
	return l;
}

struct measured
measured_none(void)
{
	const struct measured_layer none = measured_layer_none();
	struct measured m = { .head = none, .tail = none, .hidden = -1, .held = -1, .beside = -1,
		.operators = operator_table_none() };

	for (int k = 0; k < CLASSES_MOST; k++)
		m.layer[k] = none;
	return m;
}

static bool
layer_known(const struct measured_layer *l)
{
	if (l->forward >= 0 || l->backward >= 0)
		return true;
	for (int r = 0; r < RECOMPUTATIONS; r++)
		if (l->again[r] >= 0 || l->memory[r] >= 0)
			return true;
	return false;
}

bool
measured_layers(const struct measured *m)
{
	for (int k = 0; k < CLASSES_MOST; k++)
		if (layer_known(&m->layer[k]))
			return true;
	return layer_known(&m->head) || layer_known(&m->tail);
}

/* Replace *X by the measured figure, scaled by *X / THEN. THEN: the figure computed for the measured configuration. */
static void
take(double *x, double measured, double then)
{
	if (measured >= 0)
		*x = then > 0 ? measured * (*x / then) : measured;
}

void
layer_retime(struct layer_cost *l, double forward, double backward)
{
	double part = 1, in_forward = l->forward - l->forward_compute, in_backward = l->backward - l->backward_compute;

	/* Measured times include communication. Keep the computed communication if this leaves time for the rest. */
	if (forward < in_forward)
		part = forward / l->forward;
	if (backward < in_backward)
		part = fmin(part, backward / l->backward);
	l->tp *= part;
	l->ep *= part;
	l->cp[0] *= part;
	l->cp[1] *= part;
	l->forward = forward;
	l->backward = backward;
	l->forward_compute = fmax(0, forward - part * in_forward);
	l->backward_compute = fmax(0, backward - part * in_backward);
}

static void
take_layer(struct layer_cost *l, const struct layer_cost *computed, const struct measured_layer *m)
{
	const struct layer_cost copy = *computed, *then = &copy;
	double forward = l->forward, backward = l->backward;

	take(&forward, m->forward, then->forward);
	take(&backward, m->backward, then->backward);
	layer_retime(l, forward, backward);
	if (m->again[KEEP_FULL] < 0)
		l->again[KEEP_FULL] = l->forward;
	for (int r = 0; r < RECOMPUTATIONS; r++) {
		take(&l->again[r], m->again[r], then->again[r]);
		take(&l->memory[r], m->memory[r], then->memory[r]);
	}
}

void
measured_apply(const struct measured *m, const struct architecture *n, struct costs *k, const struct costs *then)
{
	for (int t = 0; t < n->classes.n; t++)
		take_layer(&k->layer[t], &then->layer[t], &m->layer[t]);
	take(&k->embedding.forward, m->head.forward, then->embedding.forward);
	take(&k->embedding.backward, m->head.backward, then->embedding.backward);
	take(&k->head.forward, m->tail.forward, then->head.forward);
	take(&k->head.backward, m->tail.backward, then->head.backward);
}

/* Return a constant plus a part proportional to 1 / ep, fitted to the first and the last measured ep. */
static double
between(const struct measured_peak *a, const struct measured_peak *b, int ep)
{
	double experts = (a->memory - b->memory) / (1.0 / a->ep - 1.0 / b->ep);

	return a->memory - experts / a->ep + experts / ep;
}

/* Find the peak for an ep among N peaks that have all other degrees equal. */
static bool
peak_of(const struct measured_peak *p, int n, int ep, struct measured_peak *found)
{
	for (int i = 0; i < n; i++)
		if (p[i].ep == 0 || p[i].ep == ep) {
			*found = p[i];
			return true;
		}
	if (n < 2)
		return false;
	*found = p[0];
	found->ep = ep;
	found->memory = between(&p[0], &p[n - 1], ep);
	found->source = SOURCE_FITTED;
	return found->memory > 0;
}

bool
measured_peak_alike(const struct measured_peak *a, const struct measured_peak *b)
{
	return a->dp == b->dp && a->tp == b->tp && a->cp == b->cp && a->pp == b->pp && a->vp == b->vp &&
	    a->mbs == b->mbs;
}

/* Return the absolute logarithm of the ratio of two numbers. */
static double
apart(int a, int b)
{
	return fabs(log((double)a / b));
}

bool
measured_peak(const struct measured *m, const struct configuration *c, struct measured_peak *found)
{
	double nearest = INFINITY;

	for (int i = 0, n; i < m->npeaks; i += n) {
		const struct measured_peak *p = &m->peak[i];
		struct measured_peak one;
		double far;

		for (n = 1; i + n < m->npeaks && measured_peak_alike(p, p + n); n++)
			;
		if (p->dp != c->dp || p->tp != c->tp || p->cp != c->cp || p->pp != c->pp ||
		    !peak_of(p, n, c->ep, &one))
			continue;
		far = apart(p->vp, c->vp) + apart(p->mbs, c->mbs);
		if (far >= nearest)
			continue;
		nearest = far;
		*found = one;
	}
	return nearest < INFINITY;
}

int
measured_profile(const struct measured *m, const struct configuration *c)
{
	double nearest = INFINITY;
	int found = 0;

	for (int i = 0; i < m->nprofiles; i++) {
		const struct measured_profile *p = &m->profile[i];

		if (p->dp != c->dp || p->tp != c->tp || p->pp != c->pp || p->ep != c->ep || p->cp != c->cp ||
		    apart(p->mbs, c->mbs) >= nearest)
			continue;
		nearest = apart(p->mbs, c->mbs);
		found = i + 1;
	}
	return found;
}

void
measured_apply_profile(const struct measured *m, const struct architecture *n, int profile, struct costs *k,
    const struct costs *as_measured)
{
	const struct measured_profile *p = &m->profile[profile - 1];
	double head = (k->head.forward + k->head.backward) /
	    (as_measured->head.forward + as_measured->head.backward) * p->head * p->forward;

	for (int t = 0; t < n->classes.n; t++) {
		double forward = p->forward * (architecture_class(n, t)->experts > 0 ? 1 : p->dense);
		struct measured_layer l = measured_layer_none();

		l.forward = forward;
		l.backward = p->backward * forward;
		take_layer(&k->layer[t], &as_measured->layer[t], &l);
		k->layer[t].again[KEEP_FULL] = p->again * k->layer[t].forward;
	}
	/* The profile has the sum. A backward takes twice the time of its forward. */
	k->head.forward = head / 3;
	k->head.backward = 2 * head / 3;
}

void
measured_free(struct measured *m)
{
	free(m->peak);
	free(m->profile);
	for (int i = 0; i < m->nanchors; i++)
		architecture_free_classes(&m->anchor[i].net);
	free(m->anchor);
	collectives_free(&m->collectives);
	operator_table_free(&m->operators);
}
