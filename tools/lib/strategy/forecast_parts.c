/* What estimates are made of, kind of layer by kind of layer. */
#include "forecast.h"

#include <string.h>

#include "lib/base/alloc.h"

#define MILLI 1e3

/* Bytes of state of a layer alone, without what a whole stage keeps between micro-batches. */
static double
own_state(const struct architecture *n, const struct configuration *c, struct parameters p)
{
	struct configuration alone = *c;

	alone.pp = 1;
	return estimate_state(n, &alone, p);
}

static void
add_layers(struct prediction *p, const struct appraisal *a, const struct architecture *n, const struct configuration *c,
    enum layer_kind kind, int count)
{
	const struct layer_cost *l = &a->costs->layer[kind];
	struct parameters own = a->parameters.layer[kind];
	struct layer_parts *t;

	if (count == 0)
		return;
	t = array_add(&layer_parts_fields, &p->layers);
	*t = (struct layer_parts){ .type = xstrdup(layer_kind_names[kind]), .count = count,
		.parameters = (double)(own.dense + own.routed), .parameters_dense = (double)own.dense,
		.parameters_routed = (double)own.routed, .memory_parameter = own_state(n, c, own),
		.memory_activation = l->memory[KEEP_ALL], .memory_select_rec = l->memory[KEEP_SELECT],
		.memory_recompute = l->memory[KEEP_FULL], .forward_flops = l->flops, .forward = MILLI * l->forward,
		.backward = MILLI * l->backward, .select_rec = MILLI * l->again[KEEP_SELECT],
		    .recompute = MILLI * l->again[KEEP_FULL],
		.forward_compute = MILLI * l->forward_compute, .backward_compute = MILLI * l->backward_compute,
		.tp_bytes = l->tp_bytes, .ep_bytes = l->ep_bytes, .cp_bytes = l->cp_bytes,
		.tp_ms = MILLI * l->tp_all, .ep_ms = MILLI * l->ep_all, .cp_ms = MILLI * l->cp_all };
}

static struct end_parts
end_of(const struct end_cost *e, struct parameters own, const struct architecture *n, const struct configuration *c)
{
	return (struct end_parts){ .parameters = (double)(own.dense + own.routed),
	    .memory_parameter = own_state(n, c, own),
		.forward = MILLI * e->forward, .backward = MILLI * e->backward };
}

void
forecast_parts(struct prediction *p, struct estimator *e, const struct architecture *n, const struct configuration *c)
{
	struct appraisal a = estimate_fully(e, c);
	const struct device_parameters *own = &a.parameters;
	int moe = architecture_moe_before(n, n->layers);

	add_layers(p, &a, n, c, KIND_DENSE, n->layers - moe);
	add_layers(p, &a, n, c, KIND_MOE, moe);
	p->head = end_of(&a.costs->embedding, (struct parameters){ .dense = own->embedding }, n, c);
	p->tail = end_of(&a.costs->head,
	    (struct parameters){ own->norm + own->output + own->mtp.dense + own->mtp_embedding,
	    own->mtp.routed }, n, c);
	GIVE(end_parts, &p->tail, memory_activation, a.costs->head_memory);
	GIVE(end_parts, &p->tail, logits, a.costs->logits);
	p->state = list_new(c->pp);
	p->split = grid_new(1, c->pp);
	for (int i = 0; i < c->pp; i++) {
		const struct stage_class *s = &a.split->class[a.split->of[i]];

		p->state.at[i] = a.stage_state[i];
		p->split.at[i] = s->layers[KIND_DENSE] + s->layers[KIND_MOE];
	}
	p->dp_raw = MILLI * a.reduction;
	p->p2p = MILLI * a.transfer;
	for (int i = 0; i < prediction_fields.n; i++)
		if (prediction_fields.field[i].offset >= offsetof(struct prediction, layers))
			p->given |= (uint64_t)1 << i;
}
