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
	RECOMPUTATIONS,
	KEEP_FIRST = RECOMPUTATIONS	/* the first of none, select and full that fits */
};
extern const char *const recomputation_names[];

/* Members that are optional have their defaults after configuration_check(). */
struct configuration {
	uint64_t given;
	char *name;
	char *origin;		/* "current": what a file runs today */
	int dp, tp, cp, pp, ep, etp, zero, shard, vp, mbs, micro_batches;
	bool sp;		/* sequence parallel: norms are divided by tp, too */
	int cp_kind;		/* enum context_kind */
	int schedule;		/* enum order_kind */
	int recompute;		/* enum recomputation */
	char *reject;		/* name of the rule that it breaks */
	char *why;		/* with the figures */
};

extern const struct fields configuration_fields;

/* Fill in the defaults; exits naming AT on degrees that are no configuration. */
void configuration_check(struct configuration *, struct place at);
/* All degrees are there, whether they are the usual ones or not. */
void configuration_give_degrees(struct configuration *);
/* How a divided sequence is worked on is there where it is not the usual way. */
void configuration_give_kind(struct configuration *);
/* Its name by its degrees, as in file names: DP8_TP4_PP16_EP8, and what else differs from 1; to be freed. */
char *configuration_name(const struct configuration *);

#endif
