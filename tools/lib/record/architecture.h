/* The network record: the shape of a model, from which its parameters, memory and operations are computed. */
#ifndef ARCHITECTURE_H
#define ARCHITECTURE_H

#include "lib/field/field.h"

enum bias { BIAS_NONE, BIAS_QKV, BIAS_ALL };
enum norm { NORM_RMS, NORM_LAYER, NORM_PLAIN };
/* Which projections of latent attention tensor parallelism divides. */
enum mla_split {
	MLA_DOWN,	/* all but the down-projections, as Megatron runs it */
	MLA_PAPER,	/* also not the rope part of the queries: arXiv 2502.07846 */
	MLA_ALL,	/* all, as Megatron's own estimator assumes */
};

struct precision {	/* bytes per parameter */
	uint64_t given;
	double weight, gradient, optimizer;
};

/*
 * Optional members have their defaults after architecture_check(). A class of layers has the same members; unset ones
 * are inherited from the network.
 */
struct architecture {
	uint64_t given;
	char *name;
	int layers, hidden_size, num_heads, kv_heads, head_dim, ffn_size, vocab_size, seq_length;
	bool gated, tied;
	int vocab_multiple;
	int experts, experts_per_token, expert_ffn_size, shared_ffn_size;
	/* after the first dense_layers layers, one in moe_every is a mixture of experts */
	int dense_layers, moe_every;
	int q_lora_rank, kv_lora_rank, qk_head_dim, rope_head_dim, v_head_dim;
	int mtp_layers;
	bool dropout, causal, flash;
	struct precision precision;
	int bias, norm;			/* enum bias, enum norm */
	bool qk_norm;
	int positions;			/* number of learned positions; 0: none */
	bool router_bias;
	int mla_split;			/* enum mla_split */
	double document;		/* of packed documents, mean length that a token attends within; 0: all */
	int window;			/* tokens that attention reaches back; 0: all */
	double window_share;		/* fraction of layers with the window */
	int node_limit;			/* maximum number of nodes for the experts of a token; 0: all */
	bool shared_split;		/* tensor parallelism divides the shared expert */
	bool attention;			/* has attention of queries, keys and values */
	int blocks;			/* residual blocks per layer */
	int norms;			/* norms of hidden_size per layer */
	int expert_hidden_size;		/* width of the experts' input and output */
	/*
	 * Matrix products outside attention and feed-forward, as "columns,depth;...". Tensor parallelism divides the
	 * columns of UP, the depth of DOWN, and nothing of WHOLE.
	 */
	char *up, *down, *whole;
	int parameters;			/* outside products */
	int expert_parameters;		/* per expert, outside products */
	int kept, moved;		/* numbers per token: kept for the backward, moved between products */
	int operations;			/* per token, outside products */
	char *shared;			/* name of the parameters shared with other layers; NULL: none */
	int shared_parameters;		/* number of shared parameters, counted once per stage */
	bool frozen;			/* the layer's own parameters are not trained */
	int trained;			/* trained parameters, of adapters */
	bool trained_embedding, trained_head;	/* trained copies exist next to the frozen ones */
	bool backward;			/* derived: the layer has a backward */
	struct array classes;		/* of struct architecture; after architecture_check() not empty */
	struct texts pattern;		/* class names of all layers, in order; empty: first dense, then moe */
	/* class names of the multi-token prediction layers; empty: the last layer's class */
	struct texts mtp_pattern;
};

enum { CLASSES_MOST = 64 };	/* maximum number of layer classes */

extern const struct fields architecture_fields, layer_class_fields;

/* Fill in the defaults. Exits, naming AT, if the members contradict each other. */
/* Fill in the defaults without checks. */
void architecture_default(struct architecture *);
void architecture_check(struct architecture *, struct place at);
/* Check parts of a network or of a class. */
void architecture_check_sizes(const struct architecture *, struct place at);
void architecture_check_experts(const struct architecture *, struct place at);
void architecture_check_heads(const struct architecture *, struct place);
void architecture_check_attention(const struct architecture *, struct place at);
/* Complete the classes: inherit unset members from the network; without any classes create dense and moe. */
void architecture_classes(struct architecture *, struct place at);
/* Return a copy of N with its own array of classes, to be changed and passed to architecture_classes(). */
struct architecture architecture_like(const struct architecture *n);
void architecture_free_classes(struct architecture *);
/* Return whether attention is latent (MLA). */
bool architecture_latent(const struct architecture *);
/* Return whether class K comes before the language model and has sequences of its own. */
bool architecture_in_front(const struct architecture *, int k);
/* Return class K; the class of layer L; the number of layers of class K among the first L. All from 0. */
const struct architecture *architecture_class(const struct architecture *, int k);
int architecture_class_of(const struct architecture *, int l);
int architecture_count(const struct architecture *, int k, int l);
/* Count the layers of each class into COUNT and return COUNT. */
const int *architecture_counts(const struct architecture *, int count[CLASSES_MOST]);
/* Return the class of that name, or -1. */
int architecture_find(const struct architecture *, const char *name);
/* Return whether layer L is a mixture of experts; return the number of mixtures among the first L layers. */
bool architecture_is_moe(const struct architecture *, int l);
int architecture_moe_before(const struct architecture *, int l);
/* Parse the first product of *PRODUCTS and advance *PRODUCTS; false at the end. */
bool architecture_product(const char **products, int *columns, int *depth);

#endif
