/* The model and layer records: measurements of a network, by layer. */
#ifndef LAYER_H
#define LAYER_H

#include "lib/field/field.h"
#include "recompute.h"

enum layer_type { LAYER_HEAD, LAYER_BODY, LAYER_TAIL };

struct model {
	uint64_t given;
	char *name;
	double stage_const_mem;		/* MB on every stage, may be negative */
	struct list overhead;		/* ms per step outside the pipeline, per stage */
	struct list overhead_early;	/* ms of overhead that start when the stage's own operations have ended */
	int seq_length, hidden_size, num_heads, vocab_size, batch_size, model_parallel, intermediate_size;
};

struct kind_figures {		/* figures of a kind of recomputation */
	uint64_t given;
	char *name;
	double activation;		/* MB per layer and micro-batch */
	double backward_time, backward_coef;	/* as in struct layer */
	/* MB offloaded in the forward and fetched for the backward, in addition to activation */
	double offload;
	double weight_time, weight_activation;	/* as in struct layer, for this kind; absent: the layer's */
};

struct layer {
	uint64_t given;
	char *name;
	int type;			/* enum layer_type */
	char *model_name;
	int nb_layer;
	bool bound;			/* HEAD and TAIL: must share a piece with BODY layers; absent: true */
	double time;			/* ms, forward of one layer and micro-batch; absent: only memory is known */
	double forward_time;		/* ms, instead of time */
	double time_error;		/* standard deviation of times over micro-batches / mean */
	double busy_time;		/* ms during which the device is busy; absent: all of time */
	double memory_parameter;	/* MB, parameters, gradients and optimizer state per layer */
	/* ms of the backward for weight gradients; absent: half of the backward without recomputation */
	double weight_time;
	double weight_activation;	/* MB kept for weight gradients; absent: all activations */
	double memory_transient;	/* MB in use only while the layer runs */
	double memory_floor;		/* MB needed at a moment outside the pipeline; absent: unknown */
	double memory[RECOMPUTE_BUILT_IN];	/* MB, activations per layer and micro-batch */
	double backward[RECOMPUTE_BUILT_IN];	/* ms, backward with this kind of recomputation */
	double coef[RECOMPUTE_BUILT_IN];	/* backward = 2 time (1 + coef) if no backward time is given */
	struct array kinds;			/* of struct kind_figures: built-in kinds and others */
};

extern const struct fields model_fields, layer_fields, kind_figures_fields;

/* Return the given figures of a kind, from any of the members that state them. */
struct kind_figures layer_figures(const struct layer *, int kind);

/* Check constraints beyond types. Exits with a message naming AT. */
void model_check(const struct model *, struct place at);
void layer_check(const struct layer *, struct place at);

#endif
