/* Times of layers: operations, memory traffic and communication. */
#include "layer_cost.h"

#include <math.h>

#include "layer_sizes.h"
#include "matmul.h"
#include "traffic.h"

#define TERA 1e12
#define GIGA 1e9
#define MICRO 1e-6
enum { MATMULS_MOST = 12 };

/* A layer's products; those of the attention first. */
static int
list_matmuls(const struct layer_sizes *s, enum layer_kind kind, struct matmul at[MATMULS_MOST])
{
	const struct architecture *net = s->net;
	double t = s->tokens, h = s->hidden, u = s->up_projections, spread = t / s->split;
	int n = 0;

#define PRODUCT(m, c, k, times) at[n++] = (struct matmul){ .rows = m, .columns = c, .depth = k, .count = times }
	if (s->latent) {
		double key = s->heads * (net->qk_head_dim + net->rope_head_dim);

		if (s->down > 0)
			PRODUCT(spread, s->down, h, 1);
		PRODUCT(t, key, s->up, 1);
		PRODUCT(spread, net->kv_lora_rank + net->rope_head_dim, h, 1);
		PRODUCT(t, s->heads * (net->qk_head_dim + net->v_head_dim), net->kv_lora_rank, 1);
		PRODUCT(t, h, s->heads * net->v_head_dim, 1);
	} else {
		PRODUCT(t, s->query + 2 * s->kv, h, 1);
		PRODUCT(t, h, s->query, 1);
	}
	if (kind == KIND_DENSE) {
		PRODUCT(t, u * s->ffn, h, 1);
		PRODUCT(t, h, s->ffn, 1);
		return n;
	}
	PRODUCT(s->rows / s->local_experts, u * s->expert, h, s->local_experts);
	PRODUCT(s->rows / s->local_experts, h, s->expert, s->local_experts);
	PRODUCT(spread, s->experts, h, 1);
	if (s->shared > 0) {
		PRODUCT(t, u * s->shared, h, 1);
		PRODUCT(t, h, s->shared, 1);
	}
#undef PRODUCT
	return n;
}

/* Operations of scores and their product with the values. */
static double
attention_flops(const struct layer_sizes *s, bool causal)
{
	const struct architecture *n = s->net;
	double dims = s->latent ? n->qk_head_dim + n->rope_head_dim + n->v_head_dim : 2 * n->head_dim;

	return 2 * s->tokens * s->sequence * s->heads * dims * (causal ? 0.5 : 1);
}

static double
activation_bytes(const struct layer_sizes *s, enum layer_kind kind)
{
	double u = s->up_projections;

	if (kind == KIND_DENSE)
		return 2 * s->tokens * (u + 1) * s->ffn;
	return 2 * s->rows * (u + 1) * s->expert + 2 * s->tokens * (u + 1) * s->shared;
}

static double
score_bytes(const struct layer_sizes *s)
{
	return s->net->flash ? 0 : 12 * s->tokens * s->sequence * s->heads;
}

static double
rope_bytes(const struct layer_sizes *s)
{
	const struct architecture *n = s->net;
	double t = s->tokens;

	if (s->latent)
		return 4 * t * s->heads * (2 * n->qk_head_dim + 2 * n->rope_head_dim + n->v_head_dim) +
		    4 * t * (s->down + n->kv_lora_rank);
	return 4 * t * (s->query + s->kv) * (n->qk_norm ? 2 : 1);
}

/* Bytes read and written between the matrix products of a forward. */
static double
moved_bytes(const struct layer_sizes *s, enum layer_kind kind, const struct cluster *c, const struct matmul at[], int n)
{
	/* Two norms and two residual additions. */
	double b = 20 * s->tokens * s->hidden / s->split + rope_bytes(s) + activation_bytes(s, kind) + score_bytes(s);

	if (kind == KIND_MOE)
		b += 8 * s->rows * s->hidden + 8 * s->tokens * s->experts / s->split;
	/* Conversion to the narrower numbers of linear layers. */
	if (c->peak_linear > c->peak)
		for (int i = 0; i < n; i++)
			b += 4 * at[i].rows * at[i].depth * at[i].count;
	return b;
}

static void
compute_times(struct layer_cost *l, const struct layer_sizes *s, enum layer_kind kind, const struct cluster *c)
{
	struct matmul at[MATMULS_MOST];
	int n = list_matmuls(s, kind, at);
	double attention = attention_flops(s, s->net->causal), forward = 0, backward = 0;
	double memory = c->memory_bandwidth * GIGA * c->efficiency.memory, moved = moved_bytes(s, kind, c, at, n);
	double scores = attention / (c->peak * TERA * c->efficiency.attention);
	double launch = c->launch * MICRO * (kind == KIND_MOE ? 3 : 1);
	double select = (8 * s->tokens * s->hidden / s->split + activation_bytes(s, kind)) / memory;
	double dropped = score_bytes(s) / memory + scores;

	l->flops = attention;
	for (int i = 0; i < n; i++) {
		l->flops += matmul_flops(&at[i]);
		forward += matmul_forward(c, c->peak_linear, &at[i]);
		backward += matmul_backward(c, c->peak_linear, &at[i], s->net->precision.gradient);
	}
	l->forward_compute = fmax(forward + scores + moved / memory, launch);
	l->backward_compute = fmax(backward + (s->net->flash ? 2.5 : 2) * scores + 2 * moved / memory, 2 * launch);
	l->again[KEEP_SELECT] = select + (s->net->flash ? 0 : dropped);
	l->again[KEEP_CORE] = dropped;
	l->again[KEEP_OP] = select + forward / 2;
}

/* Gathers and reductions of tensor parallelism, in one direction. */
static void
tensor_traffic(struct layer_cost *l, const struct layer_sizes *s, enum layer_kind kind, const struct division *d,
    const struct cluster *c)
{
	const struct architecture *n = s->net;
	struct route ring = route_ring(c, (struct group){ d->tp, 1 });
	double whole = 2 * s->tokens * s->hidden, one_part = (s->tp - 1) / s->tp;
	double blocks = kind == KIND_DENSE ? 2 : n->shared_ffn_size > 0 && n->shared_split ? 2 : 1;
	double gathered = whole;	/* by the attention */

	if (d->tp == 1)
		return;
	if (s->latent && d->sp && n->mla_split == MLA_DOWN)
		gathered = 2 * s->tokens * (s->up + n->kv_lora_rank + n->rope_head_dim);
	l->tp_all = route_time(ring, 1, gathered) + (2 * blocks - 1) * route_time(ring, 1, whole);
	l->tp_bytes = (gathered + (2 * blocks - 1) * whole) * one_part;
	/* An all-reduce is one round trip of a whole tensor. */
	if (!d->sp)
		l->tp_all = blocks * route_time(ring, 2, whole);
}

/* s that attention takes for the device's tokens, forward. */
static double
attention_time(const struct layer_sizes *s, const struct cluster *c)
{
	return attention_flops(s, s->net->causal) / (c->peak * TERA * c->efficiency.attention);
}

/*
 * Keys and values go round: a step for the keys of each device, which are fewer than the sequence has; the host and
 * the exchange before each step but the first, as far as attention does not hide it; sums of 32 bits that every such
 * step adds to: outputs in forward, gradients of queries, keys and values in backward.
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
	double attention = attention_time(s, c), hidden = attention * others / d->cp;
	double pieces = n->causal ? 2 * d->cp : d->cp;	/* of the sequence, so that all have as much to do */
	double shorter = (1 + ring->block * pieces / s->sequence) / (1 + ring->block / s->sequence) - 1;
	double sums = ring->sums * others * s->tokens / (c->memory_bandwidth * GIGA * c->efficiency.memory);
	double host = others * ring->step * MICRO;

	l->cp_all = route_time(route_ring(c, (struct group){ d->cp, d->tp }), 1, d->cp * bytes);
	l->cp_bytes = bytes * others;
	l->cp[0] = l->cp_all - fmin(ring->hidden * l->cp_all, hidden) + attention * shorter + sums * output + host;
	l->cp[1] = 2 * l->cp_all - fmin(ring->hidden * 2 * l->cp_all, again * hidden) + again * attention * shorter +
	    sums * (query + columns) + 2 * host;
}

/* Tokens are exchanged for heads before attention and back behind it; nothing hides that. */
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

static void
context_traffic(struct layer_cost *l, const struct layer_sizes *s, const struct division *d, const struct cluster *c)
{
	if (d->cp == 1)
		return;
	if (d->cp_kind == CONTEXT_ULYSSES)
		exchange_traffic(l, s, d, c);
	else
		ring_traffic(l, s, d, c);
}

static void
expert_traffic(struct layer_cost *l, const struct layer_sizes *s, const struct division *d, const struct cluster *c)
{
	double bytes = 2 * s->rows * s->hidden;

	l->ep_all = route_time(route_all_to_all(c, (struct group){ d->ep, d->etp }), 2, bytes / d->etp);
	l->ep_bytes = 2 * bytes / d->etp * (d->ep - 1) / d->ep;
	if (d->etp > 1)
		l->ep_all += route_time(route_ring(c, (struct group){ d->etp, 1 }), 2, bytes);
}

static void
layer_costs(struct layer_cost *l, const struct layer_sizes *s, enum layer_kind kind, const struct division *d,
    const struct cluster *c)
{
	*l = (struct layer_cost){ 0 };
	activations(s, kind, l->memory);
	compute_times(l, s, kind, c);
	tensor_traffic(l, s, kind, d, c);
	context_traffic(l, s, d, c);
	if (kind == KIND_MOE)
		expert_traffic(l, s, d, c);
	l->tp = l->tp_all * (1 - c->overlap.tp);
	l->ep = l->ep_all * (1 - c->overlap.ep);
	l->forward = l->forward_compute + l->tp + l->cp[0] + l->ep;
	l->backward = l->backward_compute + l->tp + l->cp[1] + l->ep;
	l->again[KEEP_FULL] = l->forward;
}

/* Embedding, head and loss. */
static void
end_costs(struct costs *k, const struct layer_sizes *s, const struct division *d, const struct cluster *c)
{
	const struct architecture *n = s->net;
	double t = s->tokens, h = s->hidden, q = s->split, mtp = n->mtp_layers;
	double memory = c->memory_bandwidth * GIGA * c->efficiency.memory;
	double columns = (double)parameters_vocabulary(n, d->tp) / s->tp;
	const struct matmul head = { .rows = t, .columns = columns, .depth = h, .count = 1 };
	const struct matmul join = { .rows = t, .columns = h / s->tp, .depth = 2 * h, .count = mtp,
	    .weightless = true };
	const struct layer_cost *last = &k->layer[parameters_last(n)];
	/* Half a pair with sequence parallel, else one all-reduce. */
	double exposed = route_time(route_ring(c, (struct group){ d->tp, 1 }), d->sp ? 1 : 2, 2 * t * h) *
	    (1 - c->overlap.tp);

	k->embedding.forward = 6 * t * h / q / memory + exposed;
	k->embedding.backward = 10 * t * h / q / memory + exposed;
	k->head.forward = (matmul_forward(c, c->peak, &head) + (4 * t * h / q + 10 * t * columns) / memory +
	    exposed) * (1 + mtp);
	k->head.backward = (matmul_backward(c, c->peak, &head, n->precision.gradient) + (8 * t * h / q +
	    6 * t * columns) / memory +
	    exposed) * (1 + mtp);
	if (mtp > 0) {
		k->head.forward += mtp * last->forward + matmul_forward(c, c->peak_linear, &join);
		k->head.backward += mtp * last->backward +
		    matmul_backward(c, c->peak_linear, &join, n->precision.gradient);
	}
	k->head_memory = 4 * t * h / q + mtp * last->memory[KEEP_ALL];
	k->logits = c->logit_bytes * t * columns;
}

void
costs_compute(struct costs *k, const struct architecture *n, const struct cluster *c, const struct division *d,
    double imbalance)
{
	struct layer_sizes s = layer_sizes(n, d, imbalance);

	*k = (struct costs){ .of = *d, .tokens = s.tokens };
	layer_costs(&k->layer[KIND_DENSE], &s, KIND_DENSE, d, c);
	if (n->experts > 0)
		layer_costs(&k->layer[KIND_MOE], &s, KIND_MOE, d, c);
	end_costs(k, &s, d, c);
	k->gathered = d->sp ? 4 * s.tokens * s.hidden : 0;
	k->boundary = 2 * s.tokens * s.hidden / s.tp;
}

struct operations
operations_of(const struct architecture *n, const struct division *d, bool causal)
{
	struct layer_sizes s = layer_sizes(n, d, 1);
	struct operations w = { .head = (1 + n->mtp_layers) * 2 * s.tokens *
	    (double)parameters_vocabulary(n, d->tp) / s.tp * s.hidden };

	for (int k = 0; k < (n->experts > 0 ? LAYER_KINDS : 1); k++) {
		struct matmul at[MATMULS_MOST];
		int products = list_matmuls(&s, (enum layer_kind)k, at);

		w.scores = attention_flops(&s, causal);
		w.layer[k] = w.scores;
		for (int i = 0; i < products; i++)
			w.layer[k] += matmul_flops(&at[i]);
	}
	return w;
}

double
model_flops_per_token(const struct architecture *n, bool causal)
{
	const struct division one = { .tp = 1, .cp = 1, .ep = 1, .etp = 1, .mbs = 1 };
	struct operations w = operations_of(n, &one, causal);
	int moe = architecture_moe_before(n, n->layers);
	double all, h = n->hidden_size, tokens = n->seq_length;

	all = (n->layers - moe) * w.layer[KIND_DENSE] + moe * w.layer[KIND_MOE];
	all += (1 + n->mtp_layers) * 2 * tokens * n->vocab_size * h;
	all += n->mtp_layers * (w.layer[parameters_last(n)] + 4 * tokens * h * h);
	return 3 * all / tokens;
}
