/*
 * The operators of a layer, of the embedding and of the head in Megatron-LM with Transformer Engine. A table has one
 * row of formulas for each part of a layer. A row expands into the operators of forward and backward, and into the
 * collectives that the division needs.
 */
#ifndef OPERATOR_LIST_H
#define OPERATOR_LIST_H

#include "lib/operator/operator_key.h"
#include "lib/record/observed.h"
#include "layer_sizes.h"

/* One operator or collective. */
struct listed_operator {
	const char *name;
	bool backward;
	int module;			/* enum module that recomputes it; 0: none */
	bool select;			/* selective recomputation repeats it, as norms and activation functions */
	struct operator_key key;	/* key of a matmul, grouped product or attention in the operator table */
	double times;			/* multiplies the time of that key; below 1: only part of an attention */
	const char *of;	/* memory traffic: name of the operator that moves the bytes; NULL: operator with a key */
	double bytes;			/* bytes of memory traffic, or of a collective */
	int kernels;			/* memory traffic: number of kernels */
	int group;			/* collective: enum observed_group; -1: not a collective */
	int op;				/* collective: enum observed_op */
	int beside;			/* collective: index of the product that it overlaps; -1: exposed */
};

enum { LISTED_MOST = 128 };

/* Return why the tables do not describe layers of the class, or NULL if they do. */
const char *operator_list_lacks(const struct architecture *class);
/* Fill AT with the operators of one layer, of the class that S was computed for. Return their number. */
int operator_list_layer(const struct layer_sizes *s, const struct division *d, struct listed_operator at[LISTED_MOST]);
/* Fill AT with the operators of the embedding, or of the head with its loss. Return their number. */
int operator_list_embedding(const struct layer_sizes *s, const struct division *d,
    struct listed_operator at[LISTED_MOST]);
int operator_list_head(const struct layer_sizes *s, const struct division *d, struct listed_operator at[LISTED_MOST]);

#endif
