#include "measured.h"

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
	struct measured m = { .head = none, .tail = none, .hidden = -1, .held = -1, .beside = -1 };

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

/* *X as it was MEASURED where it would have been computed as THEN. */
static void
take(double *x, double measured, double then)
{
	if (measured >= 0)
		*x = then > 0 ? measured * (*x / then) : measured;
}

static void
take_layer(struct layer_cost *l, const struct layer_cost *computed, const struct measured_layer *m)
{
	const struct layer_cost copy = *computed, *then = &copy;
	double forward = l->forward, backward = l->backward;

	take(&l->forward, m->forward, then->forward);
	take(&l->backward, m->backward, then->backward);
	/* What was measured has its communication in it; that is told apart as it was computed. */
	l->forward_compute += l->forward - forward;
	l->backward_compute += l->backward - backward;
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

static bool
same_degrees(const struct measured_peak *p, const struct configuration *c)
{
	return p->dp == c->dp && p->tp == c->tp && p->pp == c->pp;
}

/* What all devices have, and what experts take over ep, from the first and the last ep that were measured. */
static double
between(const struct measured_peak *a, const struct measured_peak *b, int ep)
{
	double experts = (a->memory - b->memory) / (1.0 / a->ep - 1.0 / b->ep);

	return a->memory - experts / a->ep + experts / ep;
}

bool
measured_peak(const struct measured *m, const struct configuration *c, struct measured_peak *found)
{
	const struct measured_peak *first = NULL, *last = NULL;

	for (int i = 0; i < m->npeaks; i++) {
		const struct measured_peak *p = &m->peak[i];

		if (!same_degrees(p, c))
			continue;
		if (p->ep == 0 || p->ep == c->ep) {
			*found = *p;
			return true;
		}
		if (first == NULL)
			first = p;
		last = p;
	}
	if (first == last)
		return false;
	*found = *first;
	found->ep = c->ep;
	found->memory = between(first, last, c->ep);
	found->source = SOURCE_FITTED;
	return found->memory > 0;
}

int
measured_profile(const struct measured *m, const struct configuration *c)
{
	for (int i = 0; i < m->nprofiles; i++) {
		const struct measured_profile *p = &m->profile[i];

		if (p->dp == c->dp && p->tp == c->tp && p->pp == c->pp && p->ep == c->ep && p->cp == c->cp)
			return i + 1;
	}
	return 0;
}

void
measured_apply_profile(const struct measured *m, const struct architecture *n, int profile, struct costs *k)
{
	const struct measured_profile *p = &m->profile[profile - 1];

	for (int t = 0; t < n->classes.n; t++) {
		double forward = p->forward * (architecture_class(n, t)->experts > 0 ? 1 : p->dense);
		struct measured_layer l = measured_layer_none();

		l.forward = forward;
		l.backward = p->backward * forward;
		take_layer(&k->layer[t], &k->layer[t], &l);
		k->layer[t].again[KEEP_FULL] = p->again * forward;
	}
	/* Measured forward and backward together, as it is usual one part to two. */
	k->head.forward = p->head * p->forward / 3;
	k->head.backward = 2 * p->head * p->forward / 3;
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
}
