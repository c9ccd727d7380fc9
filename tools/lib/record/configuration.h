/* The candidate record: a configuration, that is, one way to divide a step among devices. */
#ifndef CONFIGURATION_H
#define CONFIGURATION_H

#include "lib/field/field.h"
#include "lib/schedule/schedule.h"

/* Kinds of orders of operations that a configuration names before a plan exists. */
enum order_kind { ORDER_NONE, ORDER_1F1B, ORDER_INTERLEAVED, ORDER_GPIPE, ORDER_INTERLEAVED_LESS };
extern const char *const order_names[];
extern const enum schedule_kind order_schedules[];	/* the schedule that plans each order */
enum { ORDER_KINDS = ORDER_INTERLEAVED_LESS + 1 };

/* Attention over a divided sequence: keys and values circulate, or heads are exchanged for tokens. */
enum context_kind { CONTEXT_RING, CONTEXT_ULYSSES };
extern const char *const context_names[];

/* Recomputation of all layers alike, for estimates without a plan. */
enum recomputation {
	KEEP_ALL, KEEP_SELECT, KEEP_FULL,
	KEEP_CORE,	/* drop only the attention scores: Megatron's selective */
	KEEP_OP,	/* by operator, as torchtitan */
	KEEP_MODULES,	/* by a list of modules */
	RECOMPUTATIONS,
	KEEP_FIRST = RECOMPUTATIONS	/* the first of none, select and full that fits */
};
extern const char *const recomputation_names[];

/* Modules whose outputs are recomputed, as bits. */
enum module {
	MODULE_CORE_ATTN = 1 << 0,
	MODULE_MLA_UP_PROJ = 1 << 1,
	MODULE_LAYERNORM = 1 << 2,
	MODULE_MLP = 1 << 3,		/* in dense layers */
	MODULE_MOE_ACT = 1 << 4,	/* activation function of the routed experts */
	MODULE_MOE = 1 << 5,
};
extern const char *const module_names[];

/* How tokens reach their experts. */
enum dispatcher {
	DISPATCHER_ALLTOALL,	/* one copy per expert */
	DISPATCHER_FLEX,	/* one copy per device, and one per node between nodes: DeepEP, HybridEP */
	DISPATCHER_UNSAID
};
extern const char *const dispatcher_names[];

/* Graph capture: the operators that the host still launches one by one. */
enum graph {
	GRAPH_NONE,
	GRAPH_PART,		/* all operators outside graph_scope */
	GRAPH_FULL,		/* none: a step is one graph */
};
extern const char *const graph_names[];
enum graph_scope { SCOPE_ATTN = 1 << 0, SCOPE_MOE_ROUTER = 1 << 1, SCOPE_MOE_PREPROCESS = 1 << 2 };
extern const char *const graph_scope_names[];

/* Optional fused operators: products with their collectives; permutation of tokens into expert order. */
enum fused { FUSED_MC2 = 1 << 0, FUSED_PERMUTE = 1 << 1 };
extern const char *const fused_names[];

/* States of the optimizer per parameter; unset: as in the network's precision. */
enum optimizer {
	OPTIMIZER_ADAM,		/* weights and two moments of 32 bits */
	OPTIMIZER_ADAM16,	/* moments of 16 bits */
	OPTIMIZER_SGD,		/* one moment */
	OPTIMIZER_UNSAID	/* adam, unless precision says otherwise */
};
extern const char *const optimizer_names[];

/* Optional members have their defaults after configuration_check(). */
struct configuration {
	uint64_t given;
	char *name;
	char *origin;		/* "current": the configuration in a user's file */
	int dp, tp, cp, pp, ep, etp, zero, shard, vp, mbs, micro_batches;
	bool sp;		/* sequence parallel: tp also divides norms */
	int cp_kind;		/* enum context_kind */
	int schedule;		/* enum order_kind */
	int recompute;		/* enum recomputation, or FIELD_IS_SET and bits of enum module */
	int dispatcher;		/* enum dispatcher */
	bool ep_overlap;	/* all-to-alls overlap other work */
	int graph;		/* enum graph */
	int graph_scope;	/* bits of enum graph_scope */
	int fused;		/* bits of enum fused */
	struct grid stage_layers;	/* layers of each stage; absent: even */
	bool tail_even;		/* even split counts the extra work of the last stage as layers of equal time */
	bool alone;		/* the first and last pieces may hold only the embedding or the loss */
	int compute;		/* enum number_type of the products of layers */
	bool attention8;	/* products of attention also use 8 bits */
	double store;		/* bytes kept per number of a linear layer's input */
	int optimizer;		/* enum optimizer */
	double optimizer_host;	/* fraction of the parameters with their optimizer states on the host */
	char *reject;		/* name of the violated rule */
	char *why;		/* the violation, with figures */
};

extern const struct fields configuration_fields;

/* The configuration with all defaults. */
extern const struct configuration configuration_plain;
/* Return its enum recomputation, or KEEP_FIRST. */
int configuration_recompute(const struct configuration *);
/* Return the enum number_type of the products: as given, or as numbers are stored. */
int configuration_compute(const struct configuration *);
/* Return the bytes that products of an enum number_type keep per number, with scales. */
double configuration_stored(int type);
/* Set the type of the products, with the bytes that it keeps per number. */
void configuration_set_compute(struct configuration *, int type);
/* Return the bytes of optimizer states per parameter; USUAL: of the network's precision. */
double configuration_states(const struct configuration *, double usual);
/* Return its bits of enum module. */
int configuration_modules(const struct configuration *);
/* Return the bits of enum fused that frameworks support for it; EXPERTS: the network has experts. */
int configuration_fusable(const struct configuration *, bool experts);
/* Return why its fused operators are impossible (caller frees), or NULL. EXPERTS: the network has experts. */
char *configuration_fused_not(const struct configuration *, bool experts);
/* Return "mla_up_proj+mlp" (caller frees), or NULL if no module is recomputed. */
char *configuration_modules_name(const struct configuration *);
/* Fill in the defaults. */
void configuration_complete(struct configuration *);
/* Fill in the defaults. Exits, naming AT, if the degrees are not a valid configuration. */
void configuration_check(struct configuration *, struct place at);
/* Return its number of devices. */
int configuration_devices(const struct configuration *);
/* Mark all degrees as given, so that they are written. */
void configuration_give_degrees(struct configuration *);
/* Mark cp_kind as given unless it is the default. */
void configuration_give_kind(struct configuration *);
/* Return a name from its degrees, as for files: DP8_TP4_PP16_EP8 and all values that differ from 1; caller frees. */
char *configuration_name(const struct configuration *);

#endif
