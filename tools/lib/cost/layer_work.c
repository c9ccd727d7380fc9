#include "layer_work.h"

#include <math.h>

#define TERA 1e12
#define EIGHT_BIT 1.5		/* speed of attention's products in 8 bits / in 16 bits */
enum { MORE_MOST = 20 };

/* List the matrix products outside attention and feed-forward. Return their number. */
static int
list_more(const struct layer_sizes *s, struct matmul at[PRODUCTS_MOST])
{
	const struct architecture *net = s->net;
	const char *up = net->up, *down = net->down, *whole = net->whole;
	int n = 0, columns, depth;

	while (n < MORE_MOST && architecture_product(&up, &columns, &depth))
		at[n++] = (struct matmul){ s->tokens, columns / s->tp, depth, 1, .module = 0 };
	while (n < MORE_MOST && architecture_product(&down, &columns, &depth))
		at[n++] = (struct matmul){ s->tokens, columns, depth / s->tp, 1, .module = 0 };
	while (n < MORE_MOST && architecture_product(&whole, &columns, &depth))
		at[n++] = (struct matmul){ s->tokens / s->split, columns, depth, 1, .module = 0 };
	return n;
}

int
layer_products(const struct layer_sizes *s, enum layer_kind kind, bool wide_router, struct matmul at[PRODUCTS_MOST])
{
	const struct architecture *net = s->net;
	double t = s->tokens, h = s->hidden, u = s->up_projections, spread = t / s->split;
	int n = 0;

#define PRODUCT(m, c, k, times, ...) \
	at[n++] = (struct matmul){ .rows = m, .columns = c, .depth = k, .count = times, __VA_ARGS__ }
	if (!net->attention) {
		/* This case has no products of queries, keys and values. */
	} else if (s->latent) {
		double key = s->heads * (net->qk_head_dim + net->rope_head_dim);

		if (s->down > 0)
			PRODUCT(spread, s->down, h, 1, .module = 0);
		PRODUCT(t, key, s->up, 1, .module = MODULE_MLA_UP_PROJ);
		PRODUCT(spread, net->kv_lora_rank + net->rope_head_dim, h, 1, .module = 0);
		PRODUCT(t, s->heads * (net->qk_head_dim + net->v_head_dim), net->kv_lora_rank, 1,
		    .module = MODULE_MLA_UP_PROJ);
		PRODUCT(t, h, s->heads * net->v_head_dim, 1, .module = 0);
	} else {
		PRODUCT(t, s->query + 2 * s->kv, h, 1, .module = 0);
		PRODUCT(t, h, s->query, 1, .module = 0);
	}
	n += list_more(s, at + n);
	if (kind == KIND_DENSE) {
		if (s->ffn > 0) {
			PRODUCT(t, u * s->ffn, h, 1, .module = MODULE_MLP);
			PRODUCT(t, h, s->ffn, 1, .module = MODULE_MLP);
		}
		return n;
	}
	h = net->expert_hidden_size;
	PRODUCT(s->rows / s->local_experts, u * s->expert, h, s->local_experts, .grouped = true, .module = MODULE_MOE);
	PRODUCT(s->rows / s->local_experts, h, s->expert, s->local_experts, .grouped = true, .module = MODULE_MOE);
	h = s->hidden;
	PRODUCT(spread, s->experts, h, 1, .wide = wide_router, .module = MODULE_MOE);
	if (s->shared > 0) {
		PRODUCT(t, u * s->shared, h, 1, .module = MODULE_MOE);
		PRODUCT(t, h, s->shared, 1, .module = MODULE_MOE);
	}
#undef PRODUCT
	return n;
}

static double
head_width(const struct layer_sizes *s)
{
	const struct architecture *n = s->net;

	return s->latent ? n->qk_head_dim + n->rope_head_dim + n->v_head_dim : 2 * n->head_dim;
}

/* Return the operations of attention scores with heads of WIDTH. */
static double
score_flops(const struct layer_sizes *s, double width, bool causal)
{
	return s->net->attention ? 2 * s->tokens * s->sequence * s->heads * width * (causal ? 0.5 : 1) : 0;
}

double
work_more(const struct layer_sizes *s)
{
	return s->tokens * s->net->operations / s->tp;
}

double
work_attention(const struct layer_sizes *s, bool causal)
{
	return score_flops(s, head_width(s), causal);
}

/*
 * Return the mean number of tokens in the document of a token, relative to the sequence. A sequence may hold several
 * documents.
 */
static double
work_packed(const struct architecture *n)
{
	return n->document > 0 ? fmin(n->document / n->seq_length, 1) : 1;
}

double
work_windowed(const struct architecture *n)
{
	double q = n->seq_length * work_packed(n), w = n->window;

	if (n->window == 0 || w >= q)
		return work_packed(n);
	return (1 - n->window_share + n->window_share * (w * q - w * w / 2) / (q * q / 2)) * work_packed(n);
}

double
work_attention_time(const struct layer_sizes *s, const struct division *d, const struct cluster *c)
{
	const struct architecture *n = s->net;
	double width = head_width(s) / (d->attention8 ? EIGHT_BIT : 1) + c->exp_width;

	return (score_flops(s, width, n->causal) * work_windowed(n) + work_more(s)) /
	    (c->peak * TERA * c->efficiency.attention);
}

struct forward_work
forward_work_of(const struct architecture *n, const struct division *d, bool causal)
{
	struct layer_sizes s = layer_sizes(n, d, 1);
	struct forward_work w = { .scores = work_attention(&s, causal) * work_packed(n),
	    .head = (1 + n->mtp_layers) * 2 * s.tokens *
	    (double)parameters_vocabulary(n, d->tp) / s.tp * s.hidden };

	for (int k = 0; k < n->classes.n; k++) {
		const struct architecture *class = architecture_class(n, k);
		struct layer_sizes of = layer_sizes(class, d, 1);
		struct matmul at[PRODUCTS_MOST];
		int products = layer_products(&of, kind_of(class), false, at);

		w.layer[k] = work_attention(&of, causal && class->causal) * work_packed(class) + work_more(&of);
		for (int i = 0; i < products; i++)
			w.layer[k] += matmul_flops(&at[i]);
	}
	return w;
}

double
model_flops_per_token(const struct architecture *n, bool causal)
{
	const struct division one = { .tp = 1, .cp = 1, .ep = 1, .etp = 1, .mbs = 1 };
	struct forward_work w = forward_work_of(n, &one, causal);
	double all = 0, h = n->hidden_size, tokens = n->seq_length;

	for (int k = 0; k < n->classes.n; k++)
		all += architecture_count(n, k, n->layers) * w.layer[k];
	all += (1 + n->mtp_layers) * 2 * tokens * n->vocab_size * h;
	all += n->mtp_layers * (w.layer[parameters_last(n)] + 4 * tokens * h * h);
	return 3 * all / tokens;
}
