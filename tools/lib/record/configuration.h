/* The candidate record: one way to divide the work of a step among devices. */
#ifndef CONFIGURATION_H
#define CONFIGURATION_H

#include "lib/field/field.h"

/* What a pipeline without interleaving, with it, and no pipeline at all are called before they are planned. */
enum order_kind { ORDER_NONE, ORDER_1F1B, ORDER_INTERLEAVED, ORDER_GPIPE, ORDER_INTERLEAVED_LESS };
extern const char *const order_names[];

/* How attention works over a sequence that is divided: keys and values go round, or heads are exchanged for tokens. */
enum context_kind { CONTEXT_RING, CONTEXT_ULYSSES };
extern const char *const context_names[];

/* Recomputation of every layer, for estimates without a plan. */
enum recomputation {
	KEEP_ALL, KEEP_SELECT, KEEP_FULL,
	KEEP_CORE,	/* the scores alone are dropped: Megatron's selective */
	KEEP_OP,	/* torchtitan's, by operator */
	KEEP_MODULES,	/* what a list of modules leaves */
	RECOMPUTATIONS,
	KEEP_FIRST = RECOMPUTATIONS	/* the first of none, select and full that fits */
};
extern const char *const recomputation_names[];

/* Bits of modules whose outputs are recomputed. */
enum module {
	MODULE_CORE_ATTN = 1 << 0,
	MODULE_MLA_UP_PROJ = 1 << 1,
	MODULE_LAYERNORM = 1 << 2,
	MODULE_MLP = 1 << 3,		/* of dense layers */
	MODULE_MOE_ACT = 1 << 4,	/* the activation function of the routed experts */
	MODULE_MOE = 1 << 5,
};
extern const char *const module_names[];

/* How tokens get to their experts. */
enum dispatcher {
	DISPATCHER_ALLTOALL,	/* a copy for each expert */
	DISPATCHER_FLEX,	/* one for each device, and one for each node between nodes: DeepEP, HybridEP */
	DISPATCHER_UNSAID
};
extern const char *const dispatcher_names[];

/* What the host launches one by one. */
enum graph {
	GRAPH_NONE,
	GRAPH_PART,		/* all but what graph_scope has */
	GRAPH_FULL,		/* nothing: a step is one graph */
};
extern const char *const graph_names[];
enum graph_scope { SCOPE_ATTN = 1 << 0, SCOPE_MOE_ROUTER = 1 << 1, SCOPE_MOE_PREPROCESS = 1 << 2 };
extern const char *const graph_scope_names[];

/* Operators that are fused on demand: products with their collectives, and what brings tokens into experts' order. */
enum fused { FUSED_MC2 = 1 << 0, FUSED_PERMUTE = 1 << 1 };
extern const char *const fused_names[];

/* Members that are optional have their defaults after configuration_check(). */
struct configuration {
	uint64_t given;
	char *name;
	char *origin;		/* "current": what a file runs today */
	int dp, tp, cp, pp, ep, etp, zero, shard, vp, mbs, micro_batches;
	bool sp;		/* sequence parallel: norms are divided by tp, too */
	int cp_kind;		/* enum context_kind */
	int schedule;		/* enum order_kind */
	int recompute;		/* enum recomputation, or FIELD_IS_SET and bits of enum module */
	int dispatcher;		/* enum dispatcher */
	bool ep_overlap;	/* all-to-alls run beside other work */
	int graph;		/* enum graph */
	int graph_scope;	/* bits of enum graph_scope */
	int fused;		/* bits of enum fused */
	struct grid stage_layers;	/* of each stage; none: even */
	bool tail_even;		/* even: what the last stage has besides counts as layers that take as long */
	bool alone;		/* embedding and loss may be in pieces without layers, the first and the last one */
	bool attention8;	/* its products are of 8 bits, too */
	double store;		/* bytes kept of a number that a linear layer reads */
	char *reject;		/* name of the rule that it breaks */
	char *why;		/* with the figures */
};

extern const struct fields configuration_fields;

/* What a configuration is that says nothing but its degrees. */
extern const struct configuration configuration_plain;
/* Which enum recomputation it has, or KEEP_FIRST. */
int configuration_recompute(const struct configuration *);
/* Bits of enum module. */
int configuration_modules(const struct configuration *);
/* Bits of enum fused that frameworks have for it, on a network with or without experts. */
int configuration_fusable(const struct configuration *, bool experts);
/* Why it cannot have what is fused in it, on a network with or without experts, to be freed; NULL: it can. */
char *configuration_fused_not(const struct configuration *, bool experts);
/* "mla_up_proj+mlp", to be freed; NULL: no module is recomputed. */
char *configuration_modules_name(const struct configuration *);
/* Fill in the defaults. */
void configuration_complete(struct configuration *);
/* The same; exits naming AT on degrees that are no configuration. */
void configuration_check(struct configuration *, struct place at);
/* Devices that it takes. */
int configuration_devices(const struct configuration *);
/* All degrees are there, whether they are the usual ones or not. */
void configuration_give_degrees(struct configuration *);
/* How a divided sequence is worked on is there where it is not the usual way. */
void configuration_give_kind(struct configuration *);
/* Its name by its degrees, as in file names: DP8_TP4_PP16_EP8, and what else differs from 1; to be freed. */
char *configuration_name(const struct configuration *);

#endif
