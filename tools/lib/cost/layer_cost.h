/* Costs of a layer, the embedding and the head, per micro-batch on a device, before layers have stages. */
#ifndef LAYER_COST_H
#define LAYER_COST_H

#include "lib/record/cluster.h"
#include "lib/record/configuration.h"
#include "parameters.h"

/* Limiting resource of a layer's work: products, scores, memory, and host time in excess of device time. */
enum layer_share { SHARE_MATMUL, SHARE_ATTENTION, SHARE_MEMORY, SHARE_HOST, LAYER_SHARES };

/* The members of a configuration that determine the costs of a layer. */
struct division {
	int tp, cp, ep, etp, mbs;
	int cp_kind;		/* enum context_kind */
	bool sp;
	int profile;		/* number of a profile of layer times, 0: none */
	int modules;		/* recomputed, enum module; with KEEP_MODULES */
	double store;		/* bytes kept per number of a linear layer's input */
	int dispatcher, graph, graph_scope;	/* enums of the same names */
	int fused;		/* bits of enum fused */
	bool ep_overlap, attention8;
};

/* Parts of a layer's times: A is the layer without its routed experts, X the routed experts. Seconds. */
struct layer_detail {
	double rows;			/* per expert */
	double grouped, attention;	/* products of experts, scores; forward */
	double bytes;			/* bytes moved in a forward */
	double a[2], x[2];		/* device time; forward and backward */
	double host_a, host_x, sync;	/* forward */
	double dispatch;
	double again;			/* device time of recomputed modules */
	double share[LAYER_SHARES];	/* forward and backward */
};

struct layer_cost {
	double memory[RECOMPUTATIONS];	/* bytes kept for the backward */
	double flops;			/* forward */
	double forward_compute, backward_compute;	/* s */
	double tp, ep;			/* s not hidden, each direction */
	double cp[2];			/* s not hidden, forward and backward */
	double tp_bytes, ep_bytes, cp_bytes;	/* moved by a device in one direction */
	double tp_all, ep_all, cp_all;	/* s, forward, before overlap */
	double forward, backward;	/* s, including what is not hidden */
	double weight;			/* s for weight gradients, if the rest is frozen */
	double again[RECOMPUTATIONS];	/* s that recomputation adds to a backward */
	double moment;			/* additional bytes during its backward */
	uint64_t weights;		/* shapes of its products' weights, bits of weight[] in struct costs */
	struct layer_detail detail;
};

enum { SHAPES_MOST = 64 };

/* Embedding or head. Only the head keeps memory, for one micro-batch. */
struct end_cost {
	double forward, backward;	/* s, including what is not hidden */
};

/* Sources of figures, and their errors. */
struct grounds {
	int source;			/* enum measured_source */
	double error;			/* relative standard deviation; 0: as for computed figures */
	double share[3];		/* fraction of the time by source; all 0: SOURCE has all */
};

struct costs {
	struct division of;
	struct grounds layers, ends;	/* sources of the times */
	double tokens;			/* per micro-batch and device */
	struct layer_cost layer[CLASSES_MOST];
	struct end_cost embedding, head;	/* head: with MTP */
	double head_memory;		/* bytes kept by head and MTP */
	double logits;			/* bytes of the head while the loss is computed */
	double lookup;			/* bytes of the embedding in its backward */
	double workspace;		/* bytes of libraries */
	int shapes;			/* number of distinct weight shapes of products */
	struct weight_shape {
		double columns, depth;
	} weight[SHAPES_MOST];
	double gathered;		/* bytes of a gathered input and its gradient; 0 without sequence parallel */
	double boundary;		/* bytes to the next stage */
};

/* IMBALANCE: rows of the busiest device's experts / mean. */
void costs_compute(struct costs *, const struct architecture *, const struct cluster *, const struct division *,
    double imbalance);
/* Return the bytes of stand-ins on a stage with LAYERS of each class: one gradient per weight shape. */
double costs_stand_ins(const struct costs *, const struct architecture *, const int layers[CLASSES_MOST]);

#endif
