/* Activations that are kept from a layer's forward to its backward, two bytes a number. */
#include "layer_sizes.h"

struct kept {
	double all;		/* bytes */
	double select;		/* of these dropped by selective recomputation */
	double scores;		/* of these dropped by Megatron's */
	double op;		/* kept by torchtitan's */
};

static void
keep_grouped(const struct layer_sizes *s, struct kept *k)
{
	double t = s->tokens;

	k->all += 2 * t * s->query + 2 * t * s->kv_exchanged + 2 * t * s->kv_exchanged + 2 * t * s->query;
	k->op += 2 * t * s->query + 2 * t * s->kv_exchanged + 2 * t * s->query;
	if (s->net->qk_norm)
		k->all += 2 * t * (s->query + s->kv);
}

/* Latents are there before and after their norms. */
static void
keep_latent(const struct layer_sizes *s, struct kept *k)
{
	const struct architecture *n = s->net;
	double t = s->tokens, latents = 2 * t * (s->down + n->kv_lora_rank) / s->latent_split;
	double key = 2 * t * s->heads * (n->qk_head_dim + n->rope_head_dim), value = 2 * t * s->heads * n->v_head_dim;

	k->all += 2 * latents + 2 * key + 2 * value;
	k->select += latents;
	k->op += key + 2 * value;
}

/* Attention keeps its output as it made it, and the product behind it as it was exchanged. */
static void
keep_exchanged(const struct layer_sizes *s, struct kept *k)
{
	double output = s->latent ? s->heads * s->net->v_head_dim : s->query;

	k->all += 2 * s->tokens * output;
	k->op += 2 * s->tokens * output;
}

static void
keep_scores(const struct layer_sizes *s, struct kept *k)
{
	if (s->net->flash) {
		k->all += 4 * s->tokens * s->heads;
		k->op += 4 * s->tokens * s->heads;
		return;
	}
	k->scores = (s->net->dropout ? 5 : 2) * s->tokens * s->sequence * s->heads;
	k->all += k->scores;
	k->select += k->scores;
}

static void
keep_feed_forward(const struct layer_sizes *s, enum layer_kind kind, struct kept *k)
{
	double t = s->tokens, u = s->up_projections, r = s->rows;

	if (kind == KIND_DENSE) {
		k->all += 2 * t * u * s->ffn + 2 * t * s->ffn;
		k->select += 2 * t * s->ffn;
		k->op += 2 * t * s->ffn;
		return;
	}
	k->all += 4 * t * s->experts / s->split;
	k->all += 2 * r * s->hidden + 2 * r * u * s->expert + 2 * r * s->expert + 2 * r * s->hidden;
	k->all += 2 * t * u * s->shared + 2 * t * s->shared;
	k->select += 2 * r * s->expert + 2 * t * s->shared;
	k->op += 2 * r * s->expert + 2 * r * s->hidden;
}

void
activations(const struct layer_sizes *s, enum layer_kind kind, double memory[RECOMPUTATIONS])
{
	double input = 2 * s->tokens * s->hidden / s->split;
	struct kept k = { .all = 2 * input + 2 * input, .select = 2 * input, .op = 2 * input };

	if (s->latent)
		keep_latent(s, &k);
	else
		keep_grouped(s, &k);
	if (s->exchanged)
		keep_exchanged(s, &k);
	keep_scores(s, &k);
	if (s->net->dropout)
		k.all += input;
	keep_feed_forward(s, kind, &k);
	memory[KEEP_ALL] = k.all;
	memory[KEEP_SELECT] = k.all - k.select;
	memory[KEEP_FULL] = input;
	memory[KEEP_CORE] = k.all - k.scores;
	memory[KEEP_OP] = k.op;
}
