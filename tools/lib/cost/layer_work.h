/* The work of a layer's forward: its matrix products, and the arithmetic operations outside of products. */
#ifndef LAYER_WORK_H
#define LAYER_WORK_H

#include "layer_cost.h"
#include "layer_sizes.h"
#include "matmul.h"

enum { PRODUCTS_MOST = 40 };

/* List the matrix products of a layer, beginning with attention. Return their number. */
int layer_products(const struct layer_sizes *, enum layer_kind, bool wide_router, struct matmul at[PRODUCTS_MOST]);
/* Return the arithmetic operations outside products and attention scores, such as scans of states. */
double work_more(const struct layer_sizes *);
/*
 * Return the arithmetic operations of attention scores and of their product with the values. CAUSAL: count only half of
 * them.
 */
double work_attention(const struct layer_sizes *, bool causal);
/* Return the mean number of scores per layer, relative to whole sequences without a window. */
double work_windowed(const struct architecture *);
/*
 * Return the seconds of attention scores in a forward. The exponentials take time that does not depend on the width of
 * heads.
 */
double work_attention_time(const struct layer_sizes *, const struct division *, const struct cluster *);

/* Arithmetic operations of a forward, per micro-batch and device. CAUSAL: count only half of the attention scores. */
struct forward_work {
	double layer[CLASSES_MOST];
	/* scores and their product with the values, in a layer of the network's default members; included in layer[] */
	double scores;
	double head;			/* logits */
};
struct forward_work forward_work_of(const struct architecture *, const struct division *, bool causal);
/* Return the arithmetic operations per token, forward and backward, that model FLOPs utilization counts. */
double model_flops_per_token(const struct architecture *, bool causal);

#endif
