/* The candidate record: a configuration, that is, the degrees and settings of a whole job. */
#ifndef CONFIGURATION_H
#define CONFIGURATION_H

#include "lib/field/field.h"
#include "lib/schedule/schedule.h"

/* Kinds of orders of operations that a configuration names before a plan exists. */
enum order_kind { ORDER_NONE, ORDER_1F1B, ORDER_INTERLEAVED, ORDER_GPIPE, ORDER_INTERLEAVED_LESS };
extern const char *const order_names[];
extern const enum schedule_kind order_schedules[];	/* schedule that the planner uses for each order */
enum { ORDER_KINDS = ORDER_INTERLEAVED_LESS + 1 };

/*
 * Attention over a sequence divided among devices. RING: keys and values circulate. ULYSSES: devices exchange heads for
 * tokens.
 */
enum context_kind { CONTEXT_RING, CONTEXT_ULYSSES };
extern const char *const context_names[];

/* Recomputation that is equal in all layers, for estimates before a plan exists. */
enum recomputation {
	KEEP_ALL, KEEP_SELECT, KEEP_FULL,
	KEEP_CORE,	/* recompute only the attention scores: Megatron-LM's selective recomputation */
	KEEP_OP,	/* choose by operator, as torchtitan does */
	KEEP_MODULES,	/* recompute a list of modules */
	RECOMPUTATIONS,
	KEEP_FIRST = RECOMPUTATIONS	/* the first of none, select and full that fits into memory */
};
extern const char *const recomputation_names[];

/* Modules whose outputs can be recomputed, as bits. */
enum module {
	MODULE_CORE_ATTN = 1 << 0,
	MODULE_MLA_UP_PROJ = 1 << 1,
	MODULE_LAYERNORM = 1 << 2,
	MODULE_MLP = 1 << 3,		/* feed-forward of dense layers */
	MODULE_MOE_ACT = 1 << 4,	/* activation function of the routed experts */
	MODULE_MOE = 1 << 5,
};
extern const char *const module_names[];

/* How tokens travel to their experts. */
enum dispatcher {
	DISPATCHER_ALLTOALL,	/* one copy of a token for each expert */
	/* one copy of a token for each device, between nodes one for each node: DeepEP, HybridEP */
	DISPATCHER_FLEX,
	DISPATCHER_UNSAID
};
extern const char *const dispatcher_names[];

/* Graph capture: which operators the host still launches one by one. */
enum graph {
	GRAPH_NONE,
	GRAPH_PART,		/* all operators outside the parts in graph_scope */
	GRAPH_FULL,		/* none: a step is one graph */
};
extern const char *const graph_names[];
enum graph_scope { SCOPE_ATTN = 1 << 0, SCOPE_MOE_ROUTER = 1 << 1, SCOPE_MOE_PREPROCESS = 1 << 2 };
extern const char *const graph_scope_names[];

/* Optional fused operators. MC2: products with their collectives. PERMUTE: sorting tokens by expert. */
enum fused { FUSED_MC2 = 1 << 0, FUSED_PERMUTE = 1 << 1 };
extern const char *const fused_names[];

/* States of the optimizer; their bytes per parameter. */
enum optimizer {
	OPTIMIZER_ADAM,		/* weights and two moments, all of 32 bits */
	OPTIMIZER_ADAM16,	/* weights of 32 bits, two moments of 16 bits */
	OPTIMIZER_SGD,		/* weights and one moment, of 32 bits */
	OPTIMIZER_UNSAID	/* as in the network's precision; adam if that is unset */
};
extern const char *const optimizer_names[];

/* configuration_check() sets unset optional members to their defaults. */
struct configuration {
	uint64_t given;
	char *name;
	char *origin;		/* "current": the settings in a user's file */
	int dp, tp, cp, pp, ep, etp, zero, shard, vp, mbs, micro_batches;
	bool sp;		/* sequence parallel: tp also divides norms and residuals */
	int cp_kind;		/* enum context_kind */
	int schedule;		/* enum order_kind */
	int recompute;		/* enum recomputation, or FIELD_IS_SET and bits of enum module */
	int dispatcher;		/* enum dispatcher */
	bool ep_overlap;	/* all-to-alls of a micro-batch run during work of another micro-batch */
	int graph;		/* enum graph */
	int graph_scope;	/* bits of enum graph_scope */
	int fused;		/* bits of enum fused */
	struct grid stage_layers;	/* number of layers of each stage; absent: even split */
	/* with multi-token prediction, an even split counts the last stage's other parts as layers of equal time */
	bool tail_even;
	bool alone;		/* the first and last pieces may have no layers, only the embedding or the loss */
	int compute;		/* enum number_type of the layers' products */
	bool attention8;	/* the products of attention also use 8 bits */
	double store;		/* bytes that each number of a linear layer's input takes while kept for the backward */
	int optimizer;		/* enum optimizer */
	double optimizer_host;	/* fraction of the parameters whose optimizer states are on the host */
	char *reject;		/* name of the rule that excludes the configuration */
	char *why;		/* how the rule is violated, with figures */
};

extern const struct fields configuration_fields;

/* A configuration whose members all have their defaults. */
extern const struct configuration configuration_plain;
/* Return the enum recomputation; KEEP_FIRST if unset. */
int configuration_recompute(const struct configuration *);
/*
 * Return the enum number_type of the layers' products: COMPUTE if given, otherwise the type that numbers are stored in.
 */
int configuration_compute(const struct configuration *);
/* Return the bytes, including scales, that a kept input takes per number if products have enum number_type TYPE. */
double configuration_stored(int type);
/* Set the type of the products, and the bytes that each kept number then takes. */
void configuration_set_compute(struct configuration *, int type);
/*
 * Return the bytes of optimizer states per parameter. USUAL: bytes by the network's precision, which hold if the
 * optimizer is unset.
 */
double configuration_states(const struct configuration *, double usual);
/* Return the recomputed modules, bits of enum module. */
int configuration_modules(const struct configuration *);
/*
 * Return the fused operators, bits of enum fused, that frameworks support for the configuration. EXPERTS: whether the
 * network has experts.
 */
int configuration_fusable(const struct configuration *, bool experts);
/*
 * Return why frameworks do not support the configuration's fused operators (caller frees), or NULL if they do. EXPERTS:
 * whether the network has experts.
 */
char *configuration_fused_not(const struct configuration *, bool experts);
/* Return the names of the recomputed modules, such as "mla_up_proj+mlp" (caller frees), or NULL if none. */
char *configuration_modules_name(const struct configuration *);
/* Fill in the defaults. */
void configuration_complete(struct configuration *);
/* Fill in the defaults. Exit, naming AT, if the degrees are not a valid configuration. */
void configuration_check(struct configuration *, struct place at);
/* Return the number of devices. */
int configuration_devices(const struct configuration *);
/* Mark all degrees as given, so that they are written. */
void configuration_give_degrees(struct configuration *);
/* Mark cp_kind as given, so that it is written, unless it is the default. */
void configuration_give_kind(struct configuration *);
/* Return a name for files: degrees and other values that differ from 1, such as DP8_TP4_PP16_EP8. Caller frees. */
char *configuration_name(const struct configuration *);

#endif
