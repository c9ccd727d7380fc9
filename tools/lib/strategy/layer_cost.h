/* What a layer, the embedding and the head cost for one micro-batch on one device, before layers have stages. */
#ifndef LAYER_COST_H
#define LAYER_COST_H

#include "lib/record/cluster.h"
#include "lib/record/configuration.h"
#include "parameters.h"

/* What bounds a layer's work: products, scores, memory, and what the host takes more than the device. */
enum layer_share { SHARE_MATMUL, SHARE_ATTENTION, SHARE_MEMORY, SHARE_HOST, LAYER_SHARES };

/* What these costs depend on of a configuration. */
struct division {
	int tp, cp, ep, etp, mbs;
	int cp_kind;		/* enum context_kind */
	bool sp;
	int profile;		/* of the layers' times, 0: none */
	int modules;		/* that are recomputed, enum module; of KEEP_MODULES */
	double store;		/* bytes kept of a linear layer's input */
	int dispatcher, graph, graph_scope;	/* enums of the same names */
	int fused;		/* bits of enum fused */
	bool ep_overlap, attention8;
};

/* What a layer's times are made of: A is the layer without its routed experts, X they. Seconds. */
struct layer_detail {
	double rows;			/* of each expert */
	double grouped, attention;	/* products of experts, scores; forward */
	double bytes;			/* moved in a forward */
	double a[2], x[2];		/* of the device; forward and backward */
	double host_a, host_x, sync;	/* forward */
	double dispatch;
	double again;			/* that recomputed modules take of the device */
	double share[LAYER_SHARES];	/* forward and backward */
};

struct layer_cost {
	double memory[RECOMPUTATIONS];	/* bytes kept for the backward */
	double flops;			/* forward */
	double forward_compute, backward_compute;	/* s */
	double tp, ep;			/* s exposed, each direction */
	double cp[2];			/* s exposed, forward and backward */
	double tp_bytes, ep_bytes, cp_bytes;	/* moved by a device in one direction */
	double tp_all, ep_all, cp_all;	/* s, forward, before overlap */
	double forward, backward;	/* s, with what is exposed */
	double weight;			/* s of it for weights' gradients, where the rest is frozen */
	double again[RECOMPUTATIONS];	/* s that recomputation adds to a backward */
	double moment;			/* bytes of its backward beside what it keeps whole */
	uint64_t weights;		/* shapes of its products' weights, bits of WEIGHT in struct costs */
	struct layer_detail detail;
};

enum { SHAPES_MOST = 64 };

/* Embedding or head: no memory is kept in them but the head's, which stays for one micro-batch. */
struct end_cost {
	double forward, backward;	/* s, with what is exposed */
};

/* Where figures are from, and how far they may be off. */
struct grounds {
	int source;			/* enum measured_source */
	double error;			/* relative standard deviation; 0: as what is computed */
	double share[3];		/* of the time, by source; all 0: SOURCE has all of it */
};

struct costs {
	struct division of;
	struct grounds layers, ends;	/* of their times */
	double tokens;			/* of a micro-batch on a device */
	struct layer_cost layer[CLASSES_MOST];
	struct end_cost embedding, head;	/* head: with MTP */
	double head_memory;		/* bytes: what the head and MTP keep */
	double logits;			/* bytes of the head, while the loss is computed */
	double lookup;			/* bytes of the embedding in its backward */
	double workspace;		/* bytes of libraries */
	int shapes;			/* number of different weights of products */
	struct weight_shape {
		double columns, depth;
	} weight[SHAPES_MOST];
	double gathered;		/* bytes of a gathered input and its gradient; 0 without sequence parallel */
	double boundary;		/* bytes from a stage to the next */
};

/* IMBALANCE: rows of the busiest device's experts over the mean. */
void costs_compute(struct costs *, const struct architecture *, const struct cluster *, const struct division *,
    double imbalance);
/* Bytes of the stand-ins on a stage with so many LAYERS of each class: one gradient for each shape of a weight. */
double costs_stand_ins(const struct costs *, const struct architecture *, const int layers[CLASSES_MOST]);
/* Operations of a forward of one micro-batch on a device; CAUSAL: of scores, half. */
struct forward_work {
	double layer[CLASSES_MOST];
	double scores;			/* of these, of scores and their product with the values; the network's own */
	double head;			/* logits */
};
struct forward_work forward_work_of(const struct architecture *, const struct division *, bool causal);
/* Operations of a token, forward and backward, as model FLOPs utilization counts them. */
double model_flops_per_token(const struct architecture *, bool causal);

#endif
