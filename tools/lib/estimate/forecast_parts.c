/* The parts of an estimate, by layer class. */
#include "forecast.h"

#include "lib/base/alloc.h"
#include "lib/cost/traffic.h"

#define MILLI 1e3

/* Return the bytes of a layer's own state, without the part that a whole stage holds between micro-batches. */
static double
own_state(const struct architecture *n, const struct configuration *c, struct parameters p)
{
	struct configuration alone = *c;

	alone.pp = 1;
	return stage_memory_state(n, &alone, p);
}

static struct layer_detail_parts
detail_of(const struct layer_cost *l, const struct architecture *n, const struct configuration *c,
    const struct cluster *cluster)
{
	const struct layer_detail *t = &l->detail;
	struct layer_detail_parts d = { .rows_per_expert = t->rows, .grouped = MILLI * t->grouped,
		.attention = MILLI * t->attention, .bytes_memory = t->bytes,
		.segment_a = MILLI * t->a[0], .segment_x = MILLI * t->x[0],
		.segment_a_backward = MILLI * t->a[1], .segment_x_backward = MILLI * t->x[1],
		.host_a = MILLI * t->host_a, .host_x = MILLI * t->host_x, .sync = MILLI * t->sync,
		.dispatch = MILLI * t->dispatch, .exposed = MILLI * l->ep, .recompute_gpu = MILLI * t->again,
		.recompute = MILLI * l->again[KEEP_MODULES] };

	if (l->ep_bytes > 0) {
		double sent = l->ep_bytes / 2 * c->ep / (c->ep - 1);

		route_dispatch(cluster, (struct group){ c->ep, c->etp }, c->dispatcher == DISPATCHER_FLEX,
		    n->experts_per_token, n->node_limit, &d.link_bytes);
		for (int i = 0; i < d.link_bytes.n; i++)
			d.link_bytes.at[i] *= sent;
	}
	return d;
}

static void
add_layers(struct prediction *p, const struct appraisal *a, const struct architecture *n, const struct configuration *c,
    const struct cluster *cluster, int kind, int count)
{
	const struct layer_cost *l = &a->costs->layer[kind];
	struct parameters own = a->parameters.layer[kind];
	struct layer_parts *t;

	if (count == 0)
		return;
	t = array_add(&layer_parts_fields, &p->layers);
	*t = (struct layer_parts){ .type = xstrdup(architecture_class(n, kind)->name), .count = count,
		.parameters = (double)(own.dense + own.routed + own.frozen), .parameters_dense = (double)own.dense,
		.parameters_routed = (double)own.routed, .memory_parameter = own_state(n, c, own),
		.memory_activation = l->memory[KEEP_ALL], .memory_select_rec = l->memory[KEEP_SELECT],
		.memory_recompute = l->memory[KEEP_FULL], .forward_flops = l->flops, .forward = MILLI * l->forward,
		.backward = MILLI * l->backward, .select_rec = MILLI * l->again[KEEP_SELECT],
		    .recompute = MILLI * l->again[KEEP_FULL],
		.forward_compute = MILLI * l->forward_compute, .backward_compute = MILLI * l->backward_compute,
		.tp_bytes = l->tp_bytes, .ep_bytes = l->ep_bytes, .cp_bytes = l->cp_bytes,
		.tp_ms = MILLI * l->tp_all, .ep_ms = MILLI * l->ep_all, .cp_ms = MILLI * l->cp_all };
	GIVE(layer_parts, t, detail, detail_of(l, n, c, cluster));
}

static struct end_parts
end_of(const struct end_cost *e, struct parameters own, const struct architecture *n, const struct configuration *c)
{
	return (struct end_parts){ .parameters = (double)(own.dense + own.routed + own.frozen),
	    .memory_parameter = own_state(n, c, own),
		.forward = MILLI * e->forward, .backward = MILLI * e->backward };
}

void
forecast_parts(struct prediction *p, struct estimator *e, const struct architecture *n, const struct cluster *l,
    const struct configuration *c)
{
	struct appraisal a = estimate_fully(e, c);
	const struct device_parameters *own = &a.parameters;

	for (int k = 0; k < n->classes.n; k++)
		add_layers(p, &a, n, c, l, k, architecture_count(n, k, n->layers));
	p->head = end_of(&a.costs->embedding, parameters_embedding(n, own), n, c);
	p->tail = end_of(&a.costs->head, parameters_tail(n, own), n, c);
	GIVE(end_parts, &p->tail, memory_activation, a.costs->head_memory);
	GIVE(end_parts, &p->tail, logits, a.costs->logits);
	p->state = list_new(c->pp);
	p->split = grid_new(1, c->pp);
	for (int i = 0; i < c->pp; i++) {
		const struct stage_class *s = &a.split->class[a.split->of[i]];

		p->state.at[i] = a.stage_state[i];
		for (int k = 0; k < n->classes.n; k++)
			p->split.at[i] += s->layers[k];
	}
	p->dp_raw = MILLI * a.reduction;
	p->p2p = MILLI * a.transfer;
	for (int i = 0; i < prediction_fields.n; i++)
		if (prediction_fields.field[i].offset >= offsetof(struct prediction, layers) &&
		    prediction_fields.field[i].offset < offsetof(struct prediction, alike))
			p->given |= (uint64_t)1 << i;
}
