#include "segment.h"

#include <math.h>

#define MICRO 1e-6

/*
 * Return the time of two overlapping activities. It is slightly more than the longer one, which rarely hides the other
 * fully.
 */
static double
beside(double a, double b)
{
	return b == 0 ? a : sqrt(sqrt(a * a * a * a + b * b * b * b));
}

void
segment_host(struct layer_detail *t, const struct layer_sizes *s, enum layer_kind kind, const struct division *d,
    const struct cluster *c)
{
	const struct host *h = &c->host;
	double a = 0, x = 0;

	if (!c->hosted || d->graph == GRAPH_FULL)
		return;
	if (!(d->graph_scope & SCOPE_ATTN))
		a += s->latent ? h->mla : h->attention;
	if (kind == KIND_DENSE) {
		a += h->mlp;
	} else {
		if (!(d->graph_scope & SCOPE_MOE_ROUTER))
			a += h->router;
		x = h->experts + h->expert * s->local_experts + (s->shared > 0 ? h->shared : 0);
		/* The host waits for the token counts. */
		t->sync = h->sync * MICRO;
	}
	t->host_a = c->launch * MICRO * a;
	t->host_x = c->launch * MICRO * x;
}

static double
experts(const struct layer_detail *t, int backward, double exposed)
{
	return beside(t->x[backward] + exposed, (1 + backward) * t->host_x) - exposed;
}

void
segment_times(struct layer_cost *l, double exposed)
{
	const struct layer_detail *t = &l->detail;

	l->forward_compute = beside(t->a[0], t->host_a) + t->sync + experts(t, 0, exposed);
	l->backward_compute = beside(t->a[1], 2 * t->host_a) + t->sync + experts(t, 1, exposed);
}

double
segment_again(const struct layer_cost *l, double device, double host)
{
	const struct layer_detail *t = &l->detail;

	return beside(t->a[1] + device, (2 + host) * t->host_a) - beside(t->a[1], 2 * t->host_a);
}

double
segment_relaunches(const struct architecture *n, enum layer_kind kind, int modules)
{
	double host = (modules & MODULE_LAYERNORM ? 0.8 : 0) + (modules & MODULE_CORE_ATTN ? 0.5 : 0) +
	    (modules & MODULE_MLA_UP_PROJ && architecture_latent(n) ? 0.7 : 0);

	if (kind == KIND_DENSE)
		return host + (modules & MODULE_MLP ? 0.5 : 0);
	/* The whole mixture includes its activation function. */
	return host + (modules & MODULE_MOE ? 2 : modules & MODULE_MOE_ACT ? 0.3 : 0);
}
