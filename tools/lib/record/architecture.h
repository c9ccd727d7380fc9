/* The network record: a model's shape, from which everything about it can be computed. */
#ifndef ARCHITECTURE_H
#define ARCHITECTURE_H

#include "lib/field/field.h"

enum bias { BIAS_NONE, BIAS_QKV, BIAS_ALL };
enum norm { NORM_RMS, NORM_LAYER, NORM_PLAIN };
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

/*
 * Members that are optional have their defaults after architecture_check(). A class of layers is the same again: what
 * it does not say is the network's.
 */
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
	bool attention;			/* is there any, of queries, keys and values? */
	int blocks;			/* residual ones of a layer */
	int norms;			/* of hidden_size, in a layer */
	int expert_hidden_size;		/* that experts read and write */
	/* Besides attention and feed-forward, products "columns,depth;...": tp divides columns, depth, neither. */
	char *up, *down, *whole;
	int parameters;			/* not in products */
	int expert_parameters;		/* of each expert, not in products */
	int kept, moved;		/* numbers of a token: kept for the backward, moved between products */
	int operations;			/* of a token, besides products */
	char *shared;			/* what of its parameters other layers have, too; NULL: nothing */
	int shared_parameters;		/* in it, once a stage */
	bool frozen;			/* parameters are not trained */
	int trained;			/* parameters that are, of adapters */
	bool trained_embedding, trained_head;	/* copies beside the frozen ones are */
	bool backward;			/* derived: is there one? */
	struct array classes;		/* of struct architecture; after architecture_check() never none */
	struct texts pattern;		/* of all layers, in order: names of classes; none: first dense, then moe */
	struct texts mtp_pattern;	/* of a layer of multi-token prediction; none: the last layer's class */
};

enum { CLASSES_MOST = 64 };	/* of layers */

extern const struct fields architecture_fields, layer_class_fields;

/* Fill in the defaults; exits naming AT on figures that go with no network. */
/* Only the defaults. */
void architecture_default(struct architecture *);
void architecture_check(struct architecture *, struct place at);
/* Parts of it, for a class, too. */
void architecture_check_sizes(const struct architecture *, struct place at);
void architecture_check_experts(const struct architecture *, struct place at);
void architecture_check_heads(const struct architecture *, struct place);
void architecture_check_attention(const struct architecture *, struct place at);
/* Classes as they are after the network's own members, or those that it has without any: dense and moe. */
void architecture_classes(struct architecture *, struct place at);
/* A network with classes of its own, to be changed and then given to architecture_classes(); all else is N's. */
struct architecture architecture_like(const struct architecture *n);
void architecture_free_classes(struct architecture *);
/* Latent attention instead of heads of keys and values? */
bool architecture_latent(const struct architecture *);
/* Is class K in front of the language model: does it have sequences of its own? */
bool architecture_in_front(const struct architecture *, int k);
/* Class K, from 0; the class of layer L, from 0; layers of class K among the first L. */
const struct architecture *architecture_class(const struct architecture *, int k);
int architecture_class_of(const struct architecture *, int l);
int architecture_count(const struct architecture *, int k, int l);
/* Of all layers, by class; COUNT itself. */
const int *architecture_counts(const struct architecture *, int count[CLASSES_MOST]);
/* The class of that name, or -1. */
int architecture_find(const struct architecture *, const char *name);
/* Is layer L a mixture of experts?  Mixtures among the first L layers. */
bool architecture_is_moe(const struct architecture *, int l);
int architecture_moe_before(const struct architecture *, int l);
/* Columns and depth of the product that *PRODUCTS begins with, which is moved behind it; false: there is none. */
bool architecture_product(const char **products, int *columns, int *depth);

#endif
