/* The model and layer records: measured memory and times of a network, by layer. */
#ifndef LAYER_H
#define LAYER_H

#include "lib/field/field.h"
#include "recompute.h"

enum layer_type { LAYER_HEAD, LAYER_BODY, LAYER_TAIL };

struct model {
	uint64_t given;
	char *name;
	double stage_const_mem;		/* MB on every stage; may be negative */
	struct list overhead;		/* ms of the step outside the pipeline, [stage] */
	/* ms, the part of overhead that starts when the stage's own operations have ended */
	struct list overhead_early;
	int seq_length, hidden_size, num_heads, vocab_size, batch_size, model_parallel, intermediate_size;
};

struct kind_figures {		/* memory and times of a layer under one kind of recomputation */
	uint64_t given;
	char *name;
	double activation;		/* MB per layer and micro-batch */
	double backward_time, backward_coef;	/* as backward and coef in struct layer */
	/* MB sent to the host in the forward and fetched for the backward, in addition to activation */
	double offload;
	/* as in struct layer, under this kind; absent: the layer's own values */
	double weight_time, weight_activation;
};

struct layer {
	uint64_t given;
	char *name;
	int type;			/* enum layer_type */
	char *model_name;
	int nb_layer;
	bool bound;			/* a HEAD or TAIL layer must share a piece with BODY layers; absent: true */
	double time;			/* ms, forward of one layer and micro-batch; absent: only memory was measured */
	double forward_time;		/* ms, given instead of time */
	double time_error;		/* standard deviation of the times of micro-batches / their mean */
	double busy_time;		/* ms of time during which the device runs kernels; absent: all of time */
	double memory_parameter;	/* MB of parameters, gradients and optimizer state of one layer */
	/*
	 * ms, the part of the backward that computes weight gradients; absent: half of the backward without
	 * recomputation
	 */
	double weight_time;
	double weight_activation;	/* MB kept until the weight gradients are computed; absent: all activations */
	double memory_transient;	/* MB in use only while an operation of the layer runs */
	double memory_floor;		/* MB that the layer needs at a moment outside the pipeline; absent: unknown */
	double memory[RECOMPUTE_BUILT_IN];	/* MB of activations per layer and micro-batch, [kind] */
	double backward[RECOMPUTE_BUILT_IN];	/* ms, backward with recomputation, [kind] */
	/* the backward is 2 time (1 + coef), [kind]; used if backward is not given */
	double coef[RECOMPUTE_BUILT_IN];
	struct array kinds;			/* of struct kind_figures: built-in kinds, and kinds with other names */
};

extern const struct fields model_fields, layer_fields, kind_figures_fields;

/* Collect the figures of a kind from all members that can state them. */
struct kind_figures layer_figures(const struct layer *, int kind);

/* Check constraints that types do not express. Exit with a message that names AT. */
void model_check(const struct model *, struct place at);
void layer_check(const struct layer *, struct place at);

#endif
