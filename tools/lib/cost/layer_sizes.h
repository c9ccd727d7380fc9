/* Sizes of the tensors in a layer, per micro-batch and device. */
#ifndef LAYER_SIZES_H
#define LAYER_SIZES_H

#include "layer_cost.h"

struct layer_sizes {
	const struct architecture *net;
	bool latent;
	double tokens, sequence;	/* tokens per micro-batch on the device; tokens of a whole sequence */
	bool exchanged;			/* attention exchanges heads for tokens (Ulysses) */
	double split;	/* number of devices that divide norms and residuals: tp with sequence parallelism, else 1 */
	double tp;
	double hidden, heads;		/* width of the residual stream; number of heads on the device */
	/* columns of queries, on the device; columns of keys, which equal the columns of values, on the device */
	double query, kv;
	double kv_exchanged;		/* as kv, but with at least one head for each device that shares a sequence */
	/* latent attention: columns of the input of the query's up-projection, q_lora_rank or hidden */
	double down, up;
	double latent_split;		/* number of devices that divide the rows of latents */
	/* columns of the feed-forward, of the shared expert and of a routed expert, on the device */
	double ffn, shared, expert;
	double up_projections;		/* number of up-projections: 2 with a gate, else 1 */
	double rows;			/* number of (token, expert) pairs for experts of the device */
	double local_experts, experts;	/* number of routed experts on the device; in all */
	double store;			/* bytes kept per number of a linear layer's input */
};

struct layer_sizes layer_sizes(const struct architecture *, const struct division *, double imbalance);
/*
 * Set MEMORY to the bytes that a layer keeps under each kind of recomputation. MODULES: the modules that KEEP_MODULES
 * recomputes. ALLOCATED: also count bytes that programs allocate beyond the tensors in published formulas.
 */
void activations(const struct layer_sizes *, enum layer_kind, int modules, bool allocated,
    double memory[RECOMPUTATIONS]);

#endif
