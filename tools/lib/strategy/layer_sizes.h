/* The sides of a layer's tensors on one device, for one micro-batch. */
#ifndef LAYER_SIZES_H
#define LAYER_SIZES_H

#include "layer_cost.h"

struct layer_sizes {
	const struct architecture *net;
	bool latent;
	double tokens, sequence;	/* of a micro-batch on the device; of the whole sequence */
	bool exchanged;			/* heads for tokens, around attention */
	double split;			/* of norms and residuals: tp with sequence parallel, else 1 */
	double tp;
	double hidden, heads;		/* heads: on the device */
	double query, kv;		/* columns of queries, and of keys or values, on the device */
	double kv_exchanged;		/* the same, but a head at least for each device of the sequence */
	double down, up;		/* latent: columns before their projections up, q_lora_rank or hidden */
	double latent_split;		/* of the latents' rows */
	double ffn, shared, expert;	/* columns of the feed-forwards, on the device */
	double up_projections;		/* 2 with a gate, else 1 */
	double rows;			/* that reach experts of the device: token times expert */
	double local_experts, experts;	/* on the device, in all */
	double store;			/* bytes kept of a number that a linear layer reads */
};

struct layer_sizes layer_sizes(const struct architecture *, const struct division *, double imbalance);
/*
 * Bytes that each kind of recomputation keeps of a layer; MODULES are those of KEEP_MODULES. ALLOCATED: with what a
 * program allocates besides the tensors that formulas of papers have.
 */
void activations(const struct layer_sizes *, enum layer_kind, int modules, bool allocated,
    double memory[RECOMPUTATIONS]);

#endif
