#include "layer_traffic.h"

#include <math.h>

#include "layer_work.h"
#include "traffic.h"

#define GIGA 1e9
#define MICRO 1e-6

void
layer_traffic_tensor(struct layer_cost *l, const struct layer_sizes *s, enum layer_kind kind, const struct division *d,
    const struct cluster *c)
{
	const struct architecture *n = s->net;
	struct route ring = route_ring(c, (struct group){ d->tp, 1 });
	double whole = 2 * s->tokens * s->hidden, one_part = (s->tp - 1) / s->tp;
	double blocks = n->blocks - (kind == KIND_DENSE || (n->shared_ffn_size > 0 && n->shared_split) ? 0 : 1);
	double gathered = whole;	/* bytes of attention */

	if (d->tp == 1 || blocks < 1)
		return;
	if (s->latent && d->sp && n->mla_split == MLA_DOWN)
		gathered = 2 * s->tokens * (s->up + n->kv_lora_rank + n->rope_head_dim);
	l->tp_all = route_time(ring, 1, gathered) + (2 * blocks - 1) * route_time(ring, 1, whole);
	l->tp_bytes = (gathered + (2 * blocks - 1) * whole) * one_part;
	/* An all-reduce takes two rounds over the whole tensor. */
	if (!d->sp)
		l->tp_all = blocks * route_time(ring, 2, whole);
}

/*
 * Compute the costs of ring attention. Each of its steps handles the keys of one device, and short steps are less
 * efficient. Each step after the first needs host time, and an exchange of keys that attention hides in part. Each step
 * adds to sums in 32 bits. These are of outputs in the forward, and of gradients of queries, keys and values in the
 * backward.
 */
static void
ring_traffic(struct layer_cost *l, const struct layer_sizes *s, const struct division *d, const struct cluster *c)
{
	const struct architecture *n = s->net;
	const struct ring *ring = &c->ring;
	double columns = s->latent ? s->heads * (n->qk_head_dim + n->rope_head_dim + n->v_head_dim) : 2 * s->kv;
	double query = s->latent ? s->heads * (n->qk_head_dim + n->rope_head_dim) : s->query;
	double output = s->latent ? s->heads * n->v_head_dim : s->query;
	double bytes = 2 * s->tokens * columns, others = d->cp - 1, again = n->flash ? 2.5 : 2;
	double attention = work_attention_time(s, d, c), hidden = attention * others / d->cp;
	/* Number of parts of the sequence. A causal mask needs two per device to give all devices equal work. */
	double pieces = n->causal ? 2 * d->cp : d->cp;
	double shorter = (1 + ring->block * pieces / s->sequence) / (1 + ring->block / s->sequence) - 1;
	double sums = ring->sums * others * s->tokens / (c->memory_bandwidth * GIGA * c->efficiency.memory);
	double host = others * ring->step * MICRO;

	l->cp_all = route_time(route_ring(c, (struct group){ d->cp, d->tp }), 1, d->cp * bytes);
	l->cp_bytes = bytes * others;
	l->cp[0] = l->cp_all - fmin(ring->hidden * l->cp_all, hidden) + attention * shorter + sums * output + host;
	l->cp[1] = 2 * l->cp_all - fmin(ring->hidden * 2 * l->cp_all, again * hidden) + again * attention * shorter +
	    sums * (query + columns) + 2 * host;
}

/* Compute the exchange of heads for tokens before attention and back after it. All of it is exposed. */
static void
exchange_traffic(struct layer_cost *l, const struct layer_sizes *s, const struct division *d, const struct cluster *c)
{
	const struct architecture *n = s->net;
	double in = s->latent ? s->heads * (2 * (n->qk_head_dim + n->rope_head_dim) + n->v_head_dim) :
	    s->query + 2 * s->kv_exchanged;
	double out = s->latent ? s->heads * n->v_head_dim : s->query;
	struct route all = route_all_to_all(c, (struct group){ d->cp, d->tp });

	l->cp_all = route_time(all, 1, 2 * s->tokens * in) + route_time(all, 1, 2 * s->tokens * out);
	l->cp_bytes = 2 * s->tokens * (in + out) * (d->cp - 1) / d->cp;
	l->cp[0] = l->cp[1] = l->cp_all;
}

void
layer_traffic_context(struct layer_cost *l, const struct layer_sizes *s, const struct division *d,
    const struct cluster *c)
{
	if (d->cp == 1 || !s->net->attention)
		return;
	if (d->cp_kind == CONTEXT_ULYSSES)
		exchange_traffic(l, s, d, c);
	else
		ring_traffic(l, s, d, c);
}

void
layer_traffic_experts(struct layer_cost *l, const struct layer_sizes *s, const struct division *d,
    const struct cluster *c)
{
	double bytes = 2 * s->rows * s->net->expert_hidden_size;
	struct route all = route_dispatch(c, (struct group){ d->ep, d->etp }, d->dispatcher == DISPATCHER_FLEX,
	    s->net->experts_per_token, s->net->node_limit, NULL);

	l->detail.dispatch = route_time(all, 1, bytes / d->etp);
	l->ep_all = route_time(all, 2, bytes / d->etp);
	l->ep_bytes = 2 * bytes / d->etp * (d->ep - 1) / d->ep;
	if (d->etp > 1)
		l->ep_all += route_time(route_ring(c, (struct group){ d->etp, 1 }), 2, bytes);
}
