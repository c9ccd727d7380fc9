/* The model and layer records: what was measured of a network, layer by layer. */
#ifndef LAYER_H
#define LAYER_H

#include "lib/field/field.h"
#include "recompute.h"

enum layer_type { LAYER_HEAD, LAYER_BODY, LAYER_TAIL };

struct model {
	uint64_t given;
	char *name;
	double stage_const_mem;		/* MB on every stage, may be negative */
	struct list overhead;		/* ms of a step outside the pipeline, on each stage */
	struct list overhead_early;	/* ms of it that begin when the stage's own operations have ended */
	int seq_length, hidden_size, num_heads, vocab_size, batch_size, model_parallel, intermediate_size;
};

struct kind_figures {		/* a kind of recomputation, by name */
	uint64_t given;
	char *name;
	double activation;		/* MB, of one layer, one micro-batch */
	double backward_time, backward_coef;	/* as those of the layer */
	double offload;			/* MB besides that leave in the forward and return for the backward */
	double weight_time, weight_activation;	/* as those of the layer, with this kind; absent: those */
};

struct layer {
	uint64_t given;
	char *name;
	int type;			/* enum layer_type */
	char *model_name;
	int nb_layer;
	bool bound;			/* HEAD and TAIL: to a piece with BODY layers; absent: true */
	double time;			/* ms, forward of one layer, one micro-batch; absent: only memory is known */
	double forward_time;		/* ms, instead of time */
	double time_error;		/* standard deviation of its times over micro-batches, as a share of the mean */
	double busy_time;		/* ms of it in which the device works; absent: all of it */
	double memory_parameter;	/* MB, parameters, gradients and optimizer state of one layer */
	double weight_time;		/* ms of the backward for the weights' gradients; absent: half the plain one */
	double weight_activation;	/* MB that are kept for them; absent: all activations */
	double memory_transient;	/* MB, there only while the layer runs */
	double memory_floor;		/* MB that it takes at another moment than the pipeline's; absent: none known */
	double memory[RECOMPUTE_BUILT_IN];	/* MB, activations of one layer, one micro-batch */
	double backward[RECOMPUTE_BUILT_IN];	/* ms, backward with this kind of recomputation */
	double coef[RECOMPUTE_BUILT_IN];	/* backward = 2 time (1 + coef) where no time is given */
	struct array kinds;			/* of struct kind_figures: those kinds and others */
};

extern const struct fields model_fields, layer_fields, kind_figures_fields;

/* What is said of a kind of recomputation, by whatever members: those given. */
struct kind_figures layer_figures(const struct layer *, int kind);

/* What a type cannot say; exits with a message naming AT. */
void model_check(const struct model *, struct place at);
void layer_check(const struct layer *, struct place at);

#endif
