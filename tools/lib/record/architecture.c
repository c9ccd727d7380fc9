#include "architecture.h"

#include <stdlib.h>
#include <string.h>

#include "lib/base/alloc.h"

static const char *const bias_names[] = { "none", "qkv", "all", NULL };
static const char *const norm_names[] = { "rms", "layer", "none", NULL };
static const char *const mla_split_names[] = { "down", "paper", "all", NULL };

static const struct field precision_field[] = {
	OPTIONAL(precision, weight, POSITIVE),
	OPTIONAL(precision, gradient, POSITIVE),
	OPTIONAL(precision, optimizer, NONNEGATIVE),
};
static const struct fields precision_fields = FIELDS(precision, "precision");

/* Members of networks and of layer classes. A class may omit the members that it inherits. */
#define SHAPE(wanted, least) \
	REQUIRED(architecture, name, ANY), \
	wanted(architecture, layers, POSITIVE), \
	wanted(architecture, hidden_size, POSITIVE), \
	wanted(architecture, num_heads, POSITIVE), \
	wanted(architecture, ffn_size, least), \
	wanted(architecture, vocab_size, POSITIVE), \
	wanted(architecture, seq_length, POSITIVE), \
	OPTIONAL(architecture, kv_heads, POSITIVE), \
	OPTIONAL(architecture, head_dim, POSITIVE), \
	OPTIONAL(architecture, gated, ANY), \
	OPTIONAL(architecture, tied, ANY), \
	OPTIONAL(architecture, vocab_multiple, POSITIVE), \
	OPTIONAL(architecture, experts, NONNEGATIVE), \
	OPTIONAL(architecture, experts_per_token, NONNEGATIVE), \
	OPTIONAL(architecture, expert_ffn_size, NONNEGATIVE), \
	OPTIONAL(architecture, shared_ffn_size, NONNEGATIVE), \
	OPTIONAL(architecture, dense_layers, NONNEGATIVE), \
	OPTIONAL(architecture, moe_every, POSITIVE), \
	OPTIONAL(architecture, q_lora_rank, NONNEGATIVE), \
	OPTIONAL(architecture, kv_lora_rank, NONNEGATIVE), \
	OPTIONAL(architecture, qk_head_dim, NONNEGATIVE), \
	OPTIONAL(architecture, rope_head_dim, NONNEGATIVE), \
	OPTIONAL(architecture, v_head_dim, NONNEGATIVE), \
	OPTIONAL(architecture, mtp_layers, NONNEGATIVE), \
	OPTIONAL(architecture, dropout, ANY), \
	OPTIONAL(architecture, causal, ANY), \
	OPTIONAL(architecture, flash, ANY), \
	NESTED(FIELD_OBJECT, architecture, precision, true, &precision_fields), \
	CHOICE(architecture, bias, true, bias_names), \
	CHOICE(architecture, norm, true, norm_names), \
	OPTIONAL(architecture, qk_norm, ANY), \
	OPTIONAL(architecture, positions, NONNEGATIVE), \
	OPTIONAL(architecture, router_bias, ANY), \
	CHOICE(architecture, mla_split, true, mla_split_names), \
	OPTIONAL(architecture, shared_split, ANY), \
	OPTIONAL(architecture, document, NONNEGATIVE), \
	OPTIONAL(architecture, window, NONNEGATIVE), \
	OPTIONAL(architecture, window_share, NONNEGATIVE), \
	OPTIONAL(architecture, node_limit, NONNEGATIVE), \
	OPTIONAL(architecture, attention, ANY), \
	OPTIONAL(architecture, blocks, NONNEGATIVE), \
	OPTIONAL(architecture, norms, NONNEGATIVE), \
	OPTIONAL(architecture, expert_hidden_size, POSITIVE), \
	SHAPES(architecture, up), \
	SHAPES(architecture, down), \
	SHAPES(architecture, whole), \
	OPTIONAL(architecture, parameters, NONNEGATIVE), \
	OPTIONAL(architecture, expert_parameters, NONNEGATIVE), \
	OPTIONAL(architecture, kept, NONNEGATIVE), \
	OPTIONAL(architecture, moved, NONNEGATIVE), \
	OPTIONAL(architecture, operations, NONNEGATIVE), \
	OPTIONAL(architecture, shared, ANY), \
	OPTIONAL(architecture, shared_parameters, NONNEGATIVE), \
	OPTIONAL(architecture, frozen, ANY), \
	OPTIONAL(architecture, trained, NONNEGATIVE), \
	OPTIONAL(architecture, trained_expert, NONNEGATIVE)

static const struct field class_field[] = { SHAPE(OPTIONAL, NONNEGATIVE) };
const struct fields layer_class_fields = { .name = "class", .size = sizeof(struct architecture),
	.n = sizeof class_field / sizeof class_field[0], .field = class_field };

static const struct field architecture_field[] = {
	SHAPE(REQUIRED, POSITIVE),
	NESTED(FIELD_ARRAY, architecture, classes, true, &layer_class_fields),
	OPTIONAL(architecture, pattern, ANY),
	OPTIONAL(architecture, mtp_pattern, ANY),
	OPTIONAL(architecture, trained_embedding, ANY),
	OPTIONAL(architecture, trained_head, ANY),
};
const struct fields architecture_fields = EXACT_FIELDS(architecture, "network");

/* Limits above any real network. They keep products of sizes exact. */
static const struct {
	size_t offset;
	int most;
} largest[] = {
	{ offsetof(struct architecture, layers), 100000 },
	{ offsetof(struct architecture, hidden_size), 1 << 22 },
	{ offsetof(struct architecture, num_heads), 1 << 20 },
	{ offsetof(struct architecture, kv_heads), 1 << 20 },
	{ offsetof(struct architecture, head_dim), 1 << 16 },
	{ offsetof(struct architecture, ffn_size), 1 << 24 },
	{ offsetof(struct architecture, vocab_size), 1 << 28 },
	{ offsetof(struct architecture, vocab_multiple), 1 << 20 },
	{ offsetof(struct architecture, experts), 1 << 20 },
	{ offsetof(struct architecture, expert_ffn_size), 1 << 24 },
	{ offsetof(struct architecture, shared_ffn_size), 1 << 24 },
	{ offsetof(struct architecture, q_lora_rank), 1 << 22 },
	{ offsetof(struct architecture, kv_lora_rank), 1 << 22 },
	{ offsetof(struct architecture, qk_head_dim), 1 << 16 },
	{ offsetof(struct architecture, rope_head_dim), 1 << 16 },
	{ offsetof(struct architecture, v_head_dim), 1 << 16 },
	{ offsetof(struct architecture, mtp_layers), 1000 },
	{ offsetof(struct architecture, positions), 1 << 28 },
	{ offsetof(struct architecture, window), 1 << 28 },
	{ offsetof(struct architecture, blocks), 100 },
	{ offsetof(struct architecture, norms), 100 },
	{ offsetof(struct architecture, expert_hidden_size), 1 << 22 },
};

void
architecture_check_sizes(const struct architecture *n, struct place at)
{
	for (int i = 0; i < layer_class_fields.n; i++)
		for (size_t k = 0; k < sizeof largest / sizeof largest[0]; k++)
			if (class_field[i].offset == largest[k].offset) {
				int is = *(const int *)((const char *)n + largest[k].offset);

				if (is > largest[k].most)
					place_die(at, "network: %s: above %d '%d'", class_field[i].name,
					    largest[k].most, is);
			}
}

static void
need(bool there, const char *member, const char *because, struct place at)
{
	if (!there)
		place_die(at, "network: missing member '%s', %s", member, because);
}

void
architecture_check_experts(const struct architecture *n, struct place at)
{
	static const char because[] = "required by experts";

	if (n->experts == 0)
		return;
	need(n->experts_per_token > 0, "experts_per_token", because, at);
	need(n->expert_ffn_size > 0, "expert_ffn_size", because, at);
	if (n->experts_per_token > n->experts)
		place_die(at, "network: experts_per_token: above the %d experts '%d'", n->experts,
		    n->experts_per_token);
}

void
architecture_check_heads(const struct architecture *n, struct place at)
{
	if (!architecture_latent(n) && !GIVEN(architecture, n, head_dim) && n->hidden_size % n->num_heads != 0)
		place_die(at, "network: hidden_size: %d is not a multiple of num_heads, and there is no head_dim '%d'",
		    n->hidden_size, n->num_heads);
}

void
architecture_check_attention(const struct architecture *n, struct place at)
{
	static const char because[] = "required by kv_lora_rank";

	if (n->window_share > 1)
		place_die(at, "network: window_share: above 1, all layers '%g'", n->window_share);
	if (!architecture_latent(n)) {
		need(n->q_lora_rank == 0, "kv_lora_rank", "required by q_lora_rank", at);
		if (n->kv_heads > n->num_heads || n->num_heads % n->kv_heads != 0)
			place_die(at, "network: kv_heads: does not divide num_heads %d '%d'", n->num_heads,
			    n->kv_heads);
		return;
	}
	need(n->qk_head_dim > 0, "qk_head_dim", because, at);
	need(n->v_head_dim > 0, "v_head_dim", because, at);
}

void
architecture_default(struct architecture *n)
{
#define DEFAULT(member, value) if (!GIVEN(architecture, n, member)) n->member = (value)
	DEFAULT(kv_heads, n->num_heads);
	DEFAULT(head_dim, n->num_heads > 0 ? n->hidden_size / n->num_heads : 0);
	DEFAULT(gated, true);
	DEFAULT(vocab_multiple, 1);
	DEFAULT(moe_every, 1);
	DEFAULT(causal, true);
	DEFAULT(flash, true);
	DEFAULT(shared_split, true);
	DEFAULT(window_share, 0.5);
	DEFAULT(attention, true);
	DEFAULT(blocks, 2);
	DEFAULT(norms, n->blocks);
	DEFAULT(expert_hidden_size, n->hidden_size);
#undef DEFAULT
	if (!(n->precision.given & 1))
		n->precision.weight = 2;
	if (!(n->precision.given & 2))
		n->precision.gradient = 4;
	if (!(n->precision.given & 4))
		n->precision.optimizer = 12;
}

void
architecture_check(struct architecture *n, struct place at)
{
	architecture_check_sizes(n, at);
	architecture_check_heads(n, at);
	architecture_default(n);
	architecture_check_attention(n, at);
	need(!architecture_latent(n) || GIVEN(architecture, n, rope_head_dim), "rope_head_dim",
	    "required by kv_lora_rank", at);
	architecture_check_experts(n, at);
	architecture_classes(n, at);
}

bool
architecture_in_front(const struct architecture *n, int k)
{
	return k < n->classes.n && GIVEN(architecture, architecture_class(n, k), seq_length);
}

bool
architecture_latent(const struct architecture *n)
{
	return n->kv_lora_rank > 0;
}
