#include "layer_sizes.h"

#include <math.h>

struct layer_sizes
layer_sizes(const struct architecture *n, const struct division *d, double imbalance)
{
	double t = d->tp, q = d->sp ? t : 1;
	struct layer_sizes s = {
		.net = n,
		.latent = architecture_latent(n),
		.tokens = (double)d->mbs * n->seq_length / d->cp,
		.sequence = n->seq_length,
		.split = q,
		.tp = t,
		.hidden = n->hidden_size,
		.heads = n->num_heads / t,
		.query = (double)n->num_heads * n->head_dim / t,
		.kv = fmax(floor(n->kv_heads / t), 1) * n->head_dim,
		.exchanged = d->cp > 1 && d->cp_kind == CONTEXT_ULYSSES,
		.down = n->q_lora_rank,
		.up = n->q_lora_rank > 0 ? n->q_lora_rank : n->hidden_size,
		.latent_split = n->mla_split == MLA_DOWN ? q : 1,
		.ffn = n->ffn_size / t,
		.shared = n->shared_ffn_size / (n->shared_split ? t : 1),
		.expert = (double)n->expert_ffn_size / d->etp,
		.up_projections = n->gated ? 2 : 1,
		.local_experts = (double)n->experts / d->ep,
		.experts = n->experts,
		.store = d->store,
	};

	s.kv_exchanged = s.exchanged ? fmax(s.kv, (double)d->cp * n->head_dim) : s.kv;
	s.rows = imbalance * s.tokens * n->experts_per_token * d->etp / q;
	return s;
}
