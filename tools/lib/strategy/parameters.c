/* Parameters: counts are exact, so they are integers. */
#include "parameters.h"

const char *const layer_kind_names[LAYER_KINDS] = { "dense", "moe" };

enum layer_kind
parameters_last(const struct architecture *n)
{
	return architecture_is_moe(n, n->layers - 1) ? KIND_MOE : KIND_DENSE;
}

int64_t
parameters_vocabulary(const struct architecture *n, int tp)
{
	int64_t unit = (int64_t)n->vocab_multiple * tp;

	return (n->vocab_size + unit - 1) / unit * unit;
}

static int64_t
norms(const struct architecture *n)
{
	return n->norm == NORM_LAYER ? 2 : 1;
}

/* Grouped queries: no device has less than one head of keys and values. */
static int64_t
grouped_attention(const struct architecture *n, int t)
{
	int64_t h = n->hidden_size, d = n->head_dim, q = n->num_heads * d / t;
	int64_t kv = (n->kv_heads / t > 1 ? n->kv_heads / t : 1) * d, all = 2 * h * q + 2 * h * kv;

	if (n->bias != BIAS_NONE)
		all += q + 2 * kv;
	if (n->bias == BIAS_ALL)
		all += h;
	if (n->qk_norm)
		all += 2 * d;
	return all;
}

static int64_t
latent_attention(const struct architecture *n, int t)
{
	int64_t h = n->hidden_size, a = n->num_heads, rq = n->q_lora_rank, rk = n->kv_lora_rank;
	int64_t dn = n->qk_head_dim, dr = n->rope_head_dim, dv = n->v_head_dim, query = rq > 0 ? rq : h;
	int64_t down = h * rq + h * (rk + dr), up = query * a * (dn + dr) / t;

	if (n->mla_split == MLA_ALL)
		down = h * rq / t + h * (rk + dr) / t;
	if (n->mla_split == MLA_PAPER)
		up = query * a * dn / t + query * a * dr;
	return down + up + rk * a * (dn + dv) / t + a * dv * h / t + norms(n) * (rq + rk);
}

static int64_t
attention(const struct architecture *n, int t)
{
	return architecture_latent(n) ? latent_attention(n, t) : grouped_attention(n, t);
}

static struct parameters
layer(const struct architecture *n, enum layer_kind kind, int t, int e, int x)
{
	int64_t h = n->hidden_size, f = n->ffn_size, fs = n->shared_ffn_size, g = n->gated ? 3 : 2;
	struct parameters p = { .dense = 2 * norms(n) * h };

	p.dense += attention(n, t);
	if (kind == KIND_DENSE) {
		p.dense += g * h * f / t;
		if (n->bias == BIAS_ALL)
			p.dense += (g - 1) * f / t + h;
		return p;
	}
	p.dense += g * h * fs / (n->shared_split ? t : 1) + h * n->experts + (n->router_bias ? n->experts : 0);
	p.routed = (n->experts / e) * (g * h * n->expert_ffn_size / x);
	return p;
}

static int64_t
largest(const struct architecture *n, const struct device_parameters *d)
{
	int64_t most = d->embedding;
	int moe = architecture_moe_before(n, n->layers);

	for (int k = 0; k < LAYER_KINDS; k++) {
		int64_t all = d->layer[k].dense + d->layer[k].routed;

		if ((k == KIND_MOE ? moe : n->layers - moe) > 0 && all > most)
			most = all;
	}
	return most;
}

struct device_parameters
parameters_on_device(const struct architecture *n, int tp, int ep, int etp, bool stages)
{
	int64_t h = n->hidden_size, vocabulary = parameters_vocabulary(n, tp) * h / tp;
	struct device_parameters d = { .norm = norms(n) * h };

	d.layer[KIND_DENSE] = layer(n, KIND_DENSE, tp, ep, etp);
	if (n->experts > 0)
		d.layer[KIND_MOE] = layer(n, KIND_MOE, tp, ep, etp);
	d.attention = attention(n, tp);
	d.embedding = vocabulary + n->positions * h;
	d.output = n->tied && !stages ? 0 : vocabulary;
	if (n->mtp_layers > 0) {
		struct parameters last = d.layer[parameters_last(n)];

		d.mtp.dense = n->mtp_layers * (last.dense + 2 * h * h / tp + 3 * norms(n) * h);
		d.mtp.routed = n->mtp_layers * last.routed;
		d.mtp_embedding = stages ? vocabulary : 0;
	}
	d.largest = largest(n, &d);
	return d;
}

struct parameter_count
parameters_count(const struct architecture *n)
{
	struct device_parameters d = parameters_on_device(n, 1, 1, 1, false);
	int64_t moe = architecture_moe_before(n, n->layers), dense = n->layers - moe;
	int64_t ends = d.embedding + d.norm + d.output;
	struct parameter_count c;

	c.total = ends + dense * d.layer[KIND_DENSE].dense + moe * (d.layer[KIND_MOE].dense + d.layer[KIND_MOE].routed);
	c.active = c.total;
	if (n->experts > 0)
		c.active -= moe * (d.layer[KIND_MOE].routed / n->experts * (n->experts - n->experts_per_token));
	c.mtp = d.mtp.dense + d.mtp.routed;
	return c;
}
