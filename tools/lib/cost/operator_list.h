/*
 * The operators of a layer, of the embedding and of the head, as tables of formulas: Megatron-LM with Transformer
 * Engine. A row expands into the operators of a forward and a backward, with the collectives that the division of the
 * layer needs.
 */
#ifndef OPERATOR_LIST_H
#define OPERATOR_LIST_H

#include "lib/operator/operator_key.h"
#include "lib/record/observed.h"
#include "layer_sizes.h"

/* One operator, or one collective, of a layer. */
struct listed_operator {
	const char *name;
	bool backward;
	int module;			/* enum module that recomputes it; 0: none */
	bool select;			/* recomputed with norms and activation functions */
	struct operator_key key;	/* key of matmul, grouped and attention */
	double times;			/* multiplies the key's time: below 1 for a part of an attention */
	const char *of;			/* name of an operator of bytes; NULL: another operator */
	double bytes;			/* moved, of bytes and of collectives */
	int kernels;			/* of bytes */
	int group;			/* enum observed_group, of collectives; -1: not a collective */
	int op;				/* enum observed_op, of collectives */
	int beside;			/* index of the product that it overlaps; -1: exposed */
};

enum { LISTED_MOST = 128 };

/* Return NULL if the tables have all operators of the class, else the reason why not. */
const char *operator_list_lacks(const struct architecture *class);
/* Get the operators of one layer of S's class and return their number. */
int operator_list_layer(const struct layer_sizes *s, const struct division *d, struct listed_operator at[LISTED_MOST]);
/* Get the operators of the embedding, or of the head with its loss, and return their number. */
int operator_list_embedding(const struct layer_sizes *s, const struct division *d,
    struct listed_operator at[LISTED_MOST]);
int operator_list_head(const struct layer_sizes *s, const struct division *d, struct listed_operator at[LISTED_MOST]);

#endif
