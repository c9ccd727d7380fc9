/* Costs of a layer, of the embedding and of the head: for one micro-batch on a device, independent of the stage. */
#ifndef LAYER_COST_H
#define LAYER_COST_H

#include "lib/record/cluster.h"
#include "lib/record/configuration.h"
#include "parameters.h"

/*
 * Resources that limit the work of a layer: matrix products, attention scores, memory, and host time in excess of
 * device time.
 */
enum layer_share { SHARE_MATMUL, SHARE_ATTENTION, SHARE_MEMORY, SHARE_HOST, LAYER_SHARES };

/* The members of a configuration that determine the costs of a layer. */
struct division {
	int tp, cp, ep, etp, mbs;
	int cp_kind;		/* enum context_kind */
	bool sp;
	int profile;		/* index of measured layer times, from 1; 0: none */
	int modules;		/* recomputed modules, bits of enum module; for KEEP_MODULES */
	double store;		/* bytes kept per number of a linear layer's input */
	int dispatcher, graph, graph_scope;	/* enum dispatcher; enum graph; bits of enum graph_scope */
	int fused;		/* bits of enum fused */
	bool ep_overlap, attention8;
};

/* Parts of a layer's times, s. A: the layer without its routed experts; X: the routed experts. */
struct layer_detail {
	double rows;			/* rows per expert */
	double grouped, attention;	/* forward: products of experts; attention scores */
	double bytes;			/* bytes of memory traffic in a forward */
	double a[2], x[2];		/* device times, [0] forward, [1] backward */
	double host_a, host_x, sync;	/* times of the host in a forward */
	double dispatch;
	double again;			/* device time to recompute the recomputed modules */
	double share[LAYER_SHARES];	/* s of forward and backward that each resource limits */
};

struct layer_cost {
	double memory[RECOMPUTATIONS];	/* bytes kept for the backward, by enum recomputation */
	double flops;			/* arithmetic operations of a forward */
	double forward_compute, backward_compute;	/* s */
	double tp, ep;			/* s of exposed communication in each direction */
	double cp[2];			/* s of exposed communication, [0] forward, [1] backward */
	double tp_bytes, ep_bytes, cp_bytes;	/* bytes that a device sends in one direction */
	double tp_all, ep_all, cp_all;	/* s of communication in a forward, before overlap */
	double forward, backward;	/* s, including exposed communication */
	double weight;			/* s for the weight gradients of adapters, if all other parameters are frozen */
	double again[RECOMPUTATIONS];	/* s that recomputation adds to a backward, by enum recomputation */
	double moment;			/* bytes in use during its backward, other than the kept ones */
	uint64_t weights;	/* weight shapes of its products: set of indices into weight[] of struct costs */
	struct layer_detail detail;
};

enum { SHAPES_MOST = 64 };

/* The embedding or the head. */
struct end_cost {
	double forward, backward;	/* s, including exposed communication */
};

/* Source of a figure, and its error. */
struct grounds {
	int source;			/* enum measured_source that most of the figure comes from */
	double error;			/* relative standard deviation; 0: the error of computed figures */
	/* fraction of the time by enum measured_source; all 0: SOURCE is the source of all of it */
	double share[3];
};

struct costs {
	struct division of;
	struct grounds layers, ends;	/* source of the times of layers; of embedding and head */
	double tokens;			/* number per micro-batch and device */
	struct layer_cost layer[CLASSES_MOST];
	struct end_cost embedding, head;	/* head: including multi-token prediction */
	double head_memory;		/* bytes that head and multi-token prediction keep for one micro-batch */
	double logits;			/* bytes in use by the head while the loss is computed */
	double lookup;			/* bytes in use by the embedding in its backward */
	double workspace;		/* bytes that libraries allocate */
	int shapes;			/* number of distinct weight shapes of all products */
	struct weight_shape {
		double columns, depth;
	} weight[SHAPES_MOST];
	double gathered;		/* bytes of a gathered input and its gradient; 0 without sequence parallelism */
	double boundary;		/* bytes sent to the next stage */
};

/* Compute *K for a division. IMBALANCE: rows for the experts of the busiest device / mean over devices. */
void costs_compute(struct costs *, const struct architecture *, const struct cluster *, const struct division *,
    double imbalance);
/* Return the bytes of stand-ins of gradients on a stage with LAYERS of each class: one gradient per weight shape. */
double costs_stand_ins(const struct costs *, const struct architecture *, const int layers[CLASSES_MOST]);

#endif
