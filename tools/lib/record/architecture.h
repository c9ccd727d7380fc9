/* The network record: a model's shape, from which everything about it can be computed. */
#ifndef ARCHITECTURE_H
#define ARCHITECTURE_H

#include "lib/field/field.h"

enum bias { BIAS_NONE, BIAS_QKV, BIAS_ALL };
enum norm { NORM_RMS, NORM_LAYER };
/* Which of latent attention's projections tensor parallelism divides. */
enum mla_split {
	MLA_DOWN,	/* all but the down-projections: Megatron as it runs */
	MLA_PAPER,	/* nor the rope part of the queries: arXiv 2502.07846 */
	MLA_ALL,	/* all: Megatron's own estimator */
};

struct precision {	/* bytes a parameter */
	uint64_t given;
	double weight, gradient, optimizer;
};

/* Members that are optional have their defaults after architecture_check(). */
struct architecture {
	uint64_t given;
	char *name;
	int layers, hidden_size, num_heads, kv_heads, head_dim, ffn_size, vocab_size, seq_length;
	bool gated, tied;
	int vocab_multiple;
	int experts, experts_per_token, expert_ffn_size, shared_ffn_size;
	int dense_layers, moe_every;	/* from the first dense ones on, every so many is a mixture of experts */
	int q_lora_rank, kv_lora_rank, qk_head_dim, rope_head_dim, v_head_dim;
	int mtp_layers;
	bool dropout, causal, flash;
	struct precision precision;
	int bias, norm;			/* enum bias, enum norm */
	bool qk_norm;
	int positions;			/* learned ones; 0: none */
	bool router_bias;
	int mla_split;			/* enum mla_split */
	int window;			/* tokens that a layer's scores go back; 0: all */
	double window_share;		/* of the layers that have it */
	int node_limit;			/* nodes that a token's experts may lie on; 0: all */
	bool shared_split;		/* is the shared expert divided by tensor parallelism? */
};

extern const struct fields architecture_fields;

/* Fill in the defaults; exits naming AT on figures that go with no network. */
void architecture_check(struct architecture *, struct place at);
/* Latent attention instead of heads of keys and values? */
bool architecture_latent(const struct architecture *);
/* Is layer L, from 0, a mixture of experts? */
bool architecture_is_moe(const struct architecture *, int l);
/* Mixtures of experts among the first L layers. */
int architecture_moe_before(const struct architecture *, int l);

#endif
