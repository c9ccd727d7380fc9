/* Bytes of activations that a layer keeps from forward to backward, and the parts that recomputation drops. */
#include "layer_sizes.h"

struct kept {
	double all;		/* without recomputation */
	double select;		/* part that selective recomputation drops */
	double scores;		/* scores: the part that Megatron-LM's selective recomputation drops */
	double op;		/* kept under torchtitan's recomputation by operator */
	double modules;		/* part that recomputed modules drop */
};

static void
keep_grouped(const struct layer_sizes *s, int modules, struct kept *k)
{
	double t = s->tokens;

	k->all += 2 * t * s->query + 2 * t * s->kv_exchanged + 2 * t * s->kv_exchanged + 2 * t * s->query;
	k->op += 2 * t * s->query + 2 * t * s->kv_exchanged + 2 * t * s->query;
	if (modules & MODULE_CORE_ATTN)
		k->modules += 2 * t * s->query;
	if (s->net->qk_norm)
		k->all += 2 * t * (s->query + s->kv);
}

/* Add the latents. They are kept before and after their norms. */
static void
keep_latent(const struct layer_sizes *s, int modules, struct kept *k)
{
	const struct architecture *n = s->net;
	double t = s->tokens, numbers = t * (s->down + n->kv_lora_rank) / s->latent_split;
	double key = 2 * t * s->heads * (n->qk_head_dim + n->rope_head_dim), value = 2 * t * s->heads * n->v_head_dim;

	k->all += (2 + s->store) * numbers + 2 * key + 2 * value;
	k->select += s->store * numbers;
	k->op += key + 2 * value;
	if (modules & MODULE_MLA_UP_PROJ)
		k->modules += 2 * key + value;
	if (modules & MODULE_CORE_ATTN)
		k->modules += value;
}

/*
 * Add the copies that an exchange of heads keeps: attention's output before the exchange, and the next product's input
 * after it.
 */
static void
keep_exchanged(const struct layer_sizes *s, struct kept *k)
{
	double output = s->latent ? s->heads * s->net->v_head_dim : s->query;

	k->all += 2 * s->tokens * output;
	k->op += 2 * s->tokens * output;
}

static void
keep_scores(const struct layer_sizes *s, int modules, struct kept *k)
{
	double before = k->all;

	if (s->net->flash) {
		k->all += 4 * s->tokens * s->heads;
		k->op += 4 * s->tokens * s->heads;
		k->modules += modules & MODULE_CORE_ATTN ? k->all - before : 0;
		return;
	}
	k->scores = (s->net->dropout ? 5 : 2) * s->tokens * s->sequence * s->heads;
	k->all += k->scores;
	k->select += k->scores;
	k->modules += modules & MODULE_CORE_ATTN ? k->scores : 0;
}

static void
keep_dense(const struct layer_sizes *s, int modules, struct kept *k)
{
	double up = 2 * s->tokens * s->up_projections * s->ffn, activation = s->store * s->tokens * s->ffn;

	k->all += up + activation;
	k->select += activation;
	k->op += 2 * s->tokens * s->ffn;
	if (modules & MODULE_MLP)
		k->modules += up + activation;
}

static void
keep_mixture(const struct layer_sizes *s, int modules, struct kept *k)
{
	double t = s->tokens, u = s->up_projections, r = s->rows, h = s->net->expert_hidden_size, before = k->all;
	double routed = s->store * r * s->expert, shared = s->store * t * s->shared;

	k->all += 4 * t * s->experts / s->split;
	k->all += s->store * r * h + 2 * r * u * s->expert + routed + 2 * r * h;
	k->all += 2 * t * u * s->shared + shared;
	k->select += routed + shared;
	k->op += 2 * r * s->expert + 2 * r * h;
	if (modules & MODULE_MOE)
		k->modules += k->all - before;
	else if (modules & MODULE_MOE_ACT)
		k->modules += routed;
}

/*
 * Return the bytes that programs allocate beyond the formulas: sums of norms; the latent's shared columns before and
 * after their product; the router's scores in 32 bits with their order; less one copy of an expert's output.
 */
static double
keep_small(const struct layer_sizes *s, enum layer_kind kind)
{
	const struct architecture *n = s->net;
	double t = s->tokens / s->split, more = 4 * n->norms * t;

	if (n->attention && s->latent)
		more += 2 * s->tokens * (n->kv_lora_rank + n->rope_head_dim) / s->latent_split;
	if (kind == KIND_MOE)
		more += 8 * t * s->experts + 8 * s->rows - 2 * s->rows * n->expert_hidden_size;
	return more;
}

void
activations(const struct layer_sizes *s, enum layer_kind kind, int modules, bool allocated,
    double memory[RECOMPUTATIONS])
{
	double numbers = s->tokens * s->hidden / s->split, input = 2 * numbers, stored = s->store * numbers;
	double blocks = s->net->blocks, more = 2 * s->tokens * s->net->kept / s->tp;
	/* Each block's input is kept. A router keeps its input in 16 bits. */
	double read = blocks * stored + (kind == KIND_DENSE ? 0 : input - stored);
	struct kept k = { .all = blocks * input + read + more, .select = read, .op = blocks * input + more };

	if (modules & MODULE_LAYERNORM)
		k.modules += read;
	if (s->net->attention) {
		if (s->latent)
			keep_latent(s, modules, &k);
		else
			keep_grouped(s, modules, &k);
		if (s->exchanged)
			keep_exchanged(s, &k);
		keep_scores(s, modules, &k);
	}
	if (s->net->dropout)
		k.all += input;
	if (kind == KIND_DENSE)
		keep_dense(s, modules, &k);
	else
		keep_mixture(s, modules, &k);
	if (allocated)
		k.all += keep_small(s, kind);
	memory[KEEP_ALL] = k.all;
	memory[KEEP_SELECT] = k.all - k.select;
	memory[KEEP_FULL] = input;
	memory[KEEP_CORE] = k.all - k.scores;
	memory[KEEP_OP] = k.op;
	memory[KEEP_MODULES] = k.all - k.modules;
}
