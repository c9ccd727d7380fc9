/*
 * The network record: the shape of a model, from which its parameters, memory and arithmetic operations are computed.
 */
#ifndef ARCHITECTURE_H
#define ARCHITECTURE_H

#include "lib/field/field.h"

enum bias { BIAS_NONE, BIAS_QKV, BIAS_ALL };
enum norm { NORM_RMS, NORM_LAYER, NORM_PLAIN };
/* The projections of latent attention (MLA) that tensor parallelism divides. */
enum mla_split {
	MLA_DOWN,	/* all but the down-projections, as Megatron-LM runs it */
	MLA_PAPER,	/* all but the down-projections and the rope part of the queries: arXiv 2502.07846 */
	MLA_ALL,	/* all, as Megatron-LM's own memory estimator assumes */
};

struct precision {	/* bytes per parameter, of each kind */
	uint64_t given;
	double weight, gradient, optimizer;
};

/*
 * The shape of a network or of one class of its layers. A class inherits the members that it does not set from the
 * network. architecture_check() gives optional members their defaults.
 */
struct architecture {
	uint64_t given;
	char *name;
	int layers, hidden_size, num_heads, kv_heads, head_dim, ffn_size, vocab_size, seq_length;
	bool gated, tied;
	int vocab_multiple;
	int experts, experts_per_token, expert_ffn_size, shared_ffn_size;
	/* after the first dense_layers layers, every moe_every-th layer is a mixture of experts */
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
	/* mean length of the documents packed into a sequence, tokens; attention stays within each; 0: one document */
	double document;
	int window;			/* number of earlier tokens that attention sees; 0: all */
	double window_share;		/* fraction of the layers that have this window */
	int node_limit;			/* maximum number of nodes that hold the experts of a token; 0: any number */
	bool shared_split;		/* tensor parallelism divides the shared expert */
	bool attention;			/* layers have attention with queries, keys and values */
	int blocks;			/* number of residual blocks per layer */
	int norms;			/* number of norms per layer, each of width hidden_size */
	int expert_hidden_size;		/* width of the experts' input and output */
	/*
	 * Matrix products outside attention and feed-forward, as "columns,depth;...". Tensor parallelism divides the
	 * columns of products in UP and the depth of products in DOWN. It does not divide products in WHOLE.
	 */
	char *up, *down, *whole;
	int parameters;			/* number of further parameters per layer, outside matrix products */
	int expert_parameters;		/* number of further parameters per expert, outside matrix products */
	int kept, moved;	/* further numbers per token: kept for the backward; read or written between products */
	int operations;			/* arithmetic operations per token outside products and attention scores */
	char *shared;		/* name of the parameters that the class shares with other classes; NULL: none */
	int shared_parameters;		/* number of shared parameters; each stage counts them once */
	bool frozen;			/* the layer's own parameters are not trained */
	/* number of trained parameters of a frozen layer's adapters outside routed experts, and per routed expert */
	int trained, trained_expert;
	bool trained_embedding, trained_head;	/* a trained copy exists next to the frozen embedding or head */
	bool backward;			/* derived: whether the layer has a backward */
	struct array classes;		/* of struct architecture; not empty after architecture_check() */
	/* class name of every layer in model order; empty: dense layers, then mixtures of experts */
	struct texts pattern;
	/* class names of the layers in a multi-token prediction module; empty: the last layer's class */
	struct texts mtp_pattern;
};

enum { CLASSES_MOST = 64 };	/* maximum number of layer classes */

extern const struct fields architecture_fields, layer_class_fields;

/* Fill in the defaults without checks. */
void architecture_default(struct architecture *);
/* Fill in the defaults. Exit, naming AT, if the members contradict each other. */
void architecture_check(struct architecture *, struct place at);
/* Check some members of a network or of a class. Exit, naming AT, if they are invalid. */
void architecture_check_sizes(const struct architecture *, struct place at);
void architecture_check_experts(const struct architecture *, struct place at);
void architecture_check_heads(const struct architecture *, struct place);
void architecture_check_attention(const struct architecture *, struct place at);
/* Complete the classes: inherit unset members from the network. If no classes are given, create "dense" and "moe". */
void architecture_classes(struct architecture *, struct place at);
/* Return a copy of N with its own array of classes, to be changed and passed to architecture_classes(). */
struct architecture architecture_like(const struct architecture *n);
void architecture_free_classes(struct architecture *);
/* Return whether attention is latent (MLA). */
bool architecture_latent(const struct architecture *);
/* Return whether class K precedes the language model and has its own sequences, as an image encoder does. */
bool architecture_in_front(const struct architecture *, int k);
/*
 * Return class K; the class of layer L; the number of layers of class K among the first L layers. K and L count from 0.
 */
const struct architecture *architecture_class(const struct architecture *, int k);
int architecture_class_of(const struct architecture *, int l);
int architecture_count(const struct architecture *, int k, int l);
/* Count the layers of each class into COUNT. Return COUNT. */
const int *architecture_counts(const struct architecture *, int count[CLASSES_MOST]);
/* Return the number of the class called NAME, or -1. */
int architecture_find(const struct architecture *, const char *name);
/* Return whether layer L is a mixture of experts. Return the number of mixtures among the first L layers. */
bool architecture_is_moe(const struct architecture *, int l);
int architecture_moe_before(const struct architecture *, int l);
/*
 * Parse the first product of *PRODUCTS into *COLUMNS and *DEPTH, and advance *PRODUCTS past it. Return false at the
 * end.
 */
bool architecture_product(const char **products, int *columns, int *depth);

#endif
