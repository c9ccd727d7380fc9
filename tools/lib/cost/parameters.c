/* Integers keep the counts exact. */
#include "parameters.h"

#include <string.h>

enum layer_kind
kind_of(const struct architecture *class)
{
	return class->experts > 0 ? KIND_MOE : KIND_DENSE;
}

int
parameters_last(const struct architecture *n)
{
	return architecture_class_of(n, n->layers - 1);
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
	return n->norm == NORM_PLAIN ? 0 : n->norm == NORM_LAYER ? 2 : 1;
}

/* Return the parameters of grouped-query attention. Every device has at least one head of keys and values. */
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
	return !n->attention ? 0 : architecture_latent(n) ? latent_attention(n, t) : grouped_attention(n, t);
}

static int64_t
products(const char *at)
{
	int64_t all = 0;

	for (int columns, depth; architecture_product(&at, &columns, &depth);)
		all += (int64_t)columns * depth;
	return all;
}

/* Return the parameters of a layer of class N, including shared ones. T, E and X: tp, ep and etp. */
static struct parameters
layer(const struct architecture *n, int t, int e, int x)
{
	int64_t h = n->hidden_size, f = n->ffn_size, fs = n->shared_ffn_size, g = n->gated ? 3 : 2;
	struct parameters p = { .dense = n->norms * norms(n) * h + n->parameters };

	p.dense += attention(n, t) + products(n->up) / t + products(n->down) / t + products(n->whole);
	if (kind_of(n) == KIND_DENSE) {
		p.dense += g * h * f / t;
		if (n->bias == BIAS_ALL && f > 0)
			p.dense += (g - 1) * f / t + h;
	} else {
		p.dense += g * h * fs / (n->shared_split ? t : 1) + h * n->experts + (n->router_bias ? n->experts : 0);
		p.routed = (n->experts / e) * (g * n->expert_hidden_size * n->expert_ffn_size / x +
		    n->expert_parameters);
	}
	p.dense -= n->shared_parameters / t;
	if (n->frozen)
		return (struct parameters){ .dense = n->trained / t, .frozen = p.dense + p.routed,
			.routed = n->experts / e * (n->trained_expert / x) };
	return p;
}

bool
parameters_shares(const struct architecture *n, const int layers[CLASSES_MOST], int k)
{
	const char *shared = architecture_class(n, k)->shared;

	if (shared == NULL || layers[k] == 0)
		return false;
	for (int i = 0; i < k; i++)
		if (layers[i] > 0 && architecture_class(n, i)->shared != NULL &&
		    strcmp(architecture_class(n, i)->shared, shared) == 0)
			return false;
	return true;
}

struct parameters
parameters_shared(const struct architecture *n, int64_t all)
{
	return n->frozen ? (struct parameters){ .frozen = all } : (struct parameters){ .dense = all };
}

struct parameters
parameters_embedding(const struct architecture *n, const struct device_parameters *d)
{
	struct parameters p = parameters_shared(n, d->embedding);

	p.dense += n->trained_embedding ? d->embedding : 0;
	return p;
}

struct parameters
parameters_sum(struct parameters a, struct parameters b, int64_t times)
{
	return (struct parameters){ a.dense + times * b.dense, a.routed + times * b.routed,
		a.frozen + times * b.frozen };
}

struct parameters
parameters_tail(const struct architecture *n, const struct device_parameters *d)
{
	struct parameters p = parameters_sum(parameters_shared(n, d->norm + d->output + d->mtp_embedding), d->mtp, 1);

	p.dense += n->trained_head ? d->output : 0;
	return p;
}

static int64_t
largest(const struct architecture *n, const struct device_parameters *d)
{
	int64_t most = d->embedding;

	for (int k = 0; k < n->classes.n; k++) {
		int64_t all = d->layer[k].dense + d->layer[k].routed + d->shared[k];

		if (architecture_count(n, k, n->layers) > 0 && all > most)
			most = all;
	}
	return most;
}

/*
 * Return the parameters of all multi-token prediction layers: the inner layers of each module, its projection and its
 * norms.
 */
static struct parameters
mtp(const struct architecture *n, const struct device_parameters *d, int tp)
{
	int64_t h = n->hidden_size;
	struct parameters each = { .dense = 2 * h * h / tp + 3 * norms(n) * h }, none = { 0 };

	if (n->mtp_pattern.n == 0)
		each = parameters_sum(each, d->layer[parameters_last(n)], 1);
	for (int i = 0; i < n->mtp_pattern.n; i++)
		each = parameters_sum(each, d->layer[architecture_find(n, n->mtp_pattern.at[i])], 1);
	return parameters_sum(none, each, n->mtp_layers);
}

struct device_parameters
parameters_on_device(const struct architecture *n, int tp, int ep, int etp, bool stages)
{
	int64_t h = n->hidden_size, vocabulary = parameters_vocabulary(n, tp) * h / tp;
	struct device_parameters d = { .norm = norms(n) * h };

	for (int k = 0; k < n->classes.n; k++) {
		d.layer[k] = layer(architecture_class(n, k), tp, ep, etp);
		d.shared[k] = architecture_class(n, k)->shared_parameters / tp;
	}
	d.attention = attention(n, tp);
	d.embedding = vocabulary + n->positions * h;
	d.output = n->tied && !stages ? 0 : vocabulary;
	if (n->mtp_layers > 0) {
		d.mtp = mtp(n, &d, tp);
		d.mtp_embedding = stages ? vocabulary : 0;
	}
	d.largest = largest(n, &d);
	return d;
}

struct parameter_count
parameters_count(const struct architecture *n)
{
	struct device_parameters d = parameters_on_device(n, 1, 1, 1, false);
	int count[CLASSES_MOST];
	int64_t idle = 0;	/* parameters of the experts that a token does not pass */
	struct parameter_count c = { .total = d.embedding + d.norm + d.output };

	c.total += (n->trained_embedding ? d.embedding : 0) + (n->trained_head ? d.output : 0);
	for (int k = 0; k < n->classes.n; k++)
		count[k] = architecture_count(n, k, n->layers);
	for (int k = 0; k < n->classes.n; k++) {
		const struct architecture *l = architecture_class(n, k);
		struct parameters all = d.layer[k], routed = { 0 };

		c.total += count[k] * (all.dense + all.routed + all.frozen);
		c.total += parameters_shares(n, count, k) ? d.shared[k] : 0;
		if (l->experts == 0)
			continue;
		routed.routed = (int64_t)(l->gated ? 3 : 2) * l->expert_hidden_size * l->expert_ffn_size +
		    l->expert_parameters + l->trained_expert;
		idle += count[k] * routed.routed * (l->experts - l->experts_per_token);
	}
	c.active = c.total - idle;
	c.mtp = d.mtp.dense + d.mtp.routed + d.mtp.frozen;
	return c;
}
