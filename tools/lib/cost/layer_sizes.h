/* Sizes of a layer's tensors, per micro-batch and device. */
#ifndef LAYER_SIZES_H
#define LAYER_SIZES_H

#include "layer_cost.h"

struct layer_sizes {
	const struct architecture *net;
	bool latent;
	double tokens, sequence;	/* tokens per micro-batch on the device; tokens of the whole sequence */
	bool exchanged;			/* attention exchanges heads for tokens */
	double split;			/* factor that divides norms and residuals: tp with sequence parallel, else 1 */
	double tp;
	double hidden, heads;		/* heads: on the device */
	double query, kv;		/* columns of queries; of keys or values; on the device */
	double kv_exchanged;		/* kv, but at least one head per device of the sequence */
	double down, up;		/* latent: columns before the up-projections, q_lora_rank or hidden */
	double latent_split;		/* factor that divides the latents' rows */
	double ffn, shared, expert;	/* columns of the feed-forwards, on the device */
	double up_projections;		/* 2 with a gate, else 1 */
	double rows;			/* rows for experts of the device: pairs of token and expert */
	double local_experts, experts;	/* number on the device, total number */
	double store;			/* bytes kept per number of a linear layer's input */
};

struct layer_sizes layer_sizes(const struct architecture *, const struct division *, double imbalance);
/*
 * Get the bytes that each kind of recomputation keeps of a layer. MODULES: the modules of KEEP_MODULES. ALLOCATED:
 * include what programs allocate in addition to the tensors in published formulas.
 */
void activations(const struct layer_sizes *, enum layer_kind, int modules, bool allocated,
    double memory[RECOMPUTATIONS]);

#endif
