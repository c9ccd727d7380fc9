/* The layers of a model as planner and simulator need them, with all defaults filled in. */
#ifndef NETWORK_H
#define NETWORK_H

#include "lib/record/layer.h"
#include "lib/record/record.h"
#include "nesting.h"
#include "predicting.h"

/*
 * A body: the layers of one class. The planner may place HEAD layers before the first BODY layer and TAIL layers after
 * the last one. HEAD and TAIL layers are never recomputed.
 */
struct body {
	const char *name;
	int side;				/* 0: BODY; -1: HEAD; 1: TAIL */
	int layers;
	double forward;				/* ms per layer and micro-batch */
	double parameter;			/* MB per layer */
	double transient;			/* MB in use only while an operation of the layer runs */
	double floor;				/* MB that a layer needs at a moment outside the pipeline; 0: unknown */
	double error;				/* standard deviation of the times of micro-batches / their mean */
	bool has[RECOMPUTE_KINDS];		/* plans may use this kind */
	unsigned measured;			/* kinds with a given activation, a set of 1 << kind */
	unsigned dropped;			/* kinds with figures that plans may not use, a set of 1 << kind */
	double backward[RECOMPUTE_KINDS];	/* ms per layer and micro-batch, with recomputation */
	/* MB per layer and micro-batch, including memory not yet offloaded at the end of the forward */
	double activation[RECOMPUTE_KINDS];
	double offload[RECOMPUTE_KINDS];	/* MB sent to the host in the forward and fetched for the backward */
	double stays[RECOMPUTE_KINDS];	/* MB of activation that is not offloaded; set only if the network has a link */
	/* ms that the link needs to offload and fetch, minus the forward; set only if the network has a link */
	double link[RECOMPUTE_KINDS];
	bool weighed;				/* the members below are set: see weights.h */
	double weight;		/* ms, the part of the backward that computes weight gradients, minimum over kinds */
	/* MB kept from the B to the W of a split backward, minimum over kinds; only if network.keeps */
	double kept;
	/* Excess of each kind over weight, ms, and over kept, MB. Not negative for kinds that plans may use. */
	double weight_more[RECOMPUTE_KINDS], kept_more[RECOMPUTE_KINDS];
};

/* The HEAD layers bound to the first piece, or the TAIL layers bound to the last piece. */
struct end {
	bool there;			/* whether any such layer exists */
	double forward, backward;	/* ms per micro-batch, of all these layers */
	double parameter;		/* MB of all these layers */
	double transient;		/* MB in use only while a layer runs, maximum over layers */
	double error;			/* standard deviation of the times of micro-batches / their mean */
	bool weighed;
	double weight;			/* ms; as in struct body */
};

struct outer {			/* layers that are fixed to the first piece (side -1) or the last one (side 1) */
	const char *name;
	int side, layers;
};

struct network {
	const char *name;
	const struct model *model;	/* NULL: the input has no model record */
	double constant;		/* MB in use on every stage */
	struct end head, tail;
	int nbodies;
	struct body *body;		/* in model order */
	int layers;			/* number of layers of all bodies */
	int free_ends;			/* number of HEAD and TAIL layers in layers */
	int nouter;
	struct outer *outer;		/* [nouter], owned: HEAD and TAIL layers that network_bind() has bound */
	int splits;		/* number of parts that network_split() divided each sequence into; 0: not divided */
	/*
	 * All pieces recompute alike. In the first FIRST_BODIES bodies, the first FIRST_LAYERS layers of each piece are
	 * fully recomputed.
	 */
	bool first_only;
	int first_layers, first_bodies;
	struct nesting *nesting;	/* owned; NULL: nesting_built_in */
	/*
	 * In a split backward, the B frees the activations of a layer, except body.kept, which the W frees. If false,
	 * the W frees all activations.
	 */
	bool keeps;
	/* whether weight_more of some kind is above 0; whether kept_more of some kind is above 0 */
	bool weighs_kinds, keeps_kinds;
	/* MB per ms between device and host, for offloading; 0: no offloading, see offload.h */
	double link;
	int piece_layers;		/* maximum number of layers per piece; 0: no limit */
	bool empty;			/* pieces without HEAD and TAIL layers may be empty */
	bool alone;			/* pieces with HEAD or TAIL layers need no BODY layers */
	bool at_ends;			/* unbound HEAD and TAIL layers must be on the first and the last piece */
	enum predicting predicting;
	/* number of the first multi-token prediction layer; number of the layer after the last one; all layers count */
	int predict_from, predict_to;
	struct place place;		/* place of the first record */
};

/*
 * Collect the layers of the model NAME from records, which must outlive the network. NAME may be NULL if the input has
 * one model. Exit if the model does not exist, is not unique, or has no BODY layer.
 */
struct network network_from_records(const struct records *, const char *name);
/* Warn about kinds that plans may not use, and about kinds whose backward is shorter than without recomputation. */
void network_warn(const struct network *);
/*
 * Set times and memory for one of SPLITS parts of each sequence, see sapp(7). Full recomputation is excluded. Exit,
 * naming AT, if the model record lacks the necessary sizes.
 */
void network_split(struct network *, int splits, struct place at);
/*
 * Forbid the kinds that the pattern lists of frameworks cannot express, with a warning. Exit if a layer has no kind
 * left.
 */
void network_keep_said(struct network *);
/*
 * Forbid all kinds outside the set KINDS (1 << kind), which the settings of framework WHO can express. Warn, and exit
 * if a layer has no kind left.
 */
void network_keep_modules(struct network *, const char *who, unsigned kinds);
void network_free(struct network *);

/* Return the minimum number of layers in one of PIECES pieces. POSITION: its number in model order. */
int network_fewest(const struct network *, int position, int pieces);
/* Return the minimum number of layers in all pieces together. Return the maximum number in one piece. */
int network_needed(const struct network *, int pieces);
int network_most(const struct network *, int pieces);
/* Return the number of BODY layers. Training YAMLs and scripts count only these. */
int network_body_layers(const struct network *);
/*
 * Bind HEAD and TAIL layers to the first and the last piece. A side's layers are bound if none of them keeps
 * activations. Layers whose name KEPT accepts (NULL: none) stay unbound.
 */
void network_bind(struct network *, bool (*kept)(const char *name));
/* Return whether any layer uses memory only while it runs. */
bool network_transient(const struct network *);
/* Forbid a set of kinds (1 << kind) for a layer. Return false if it has no kind left. */
bool body_forbid(struct body *, unsigned kinds);
/* Return the MB of activations per layer and micro-batch of the kind that keeps least. */
double body_least_activation(const struct body *);
double body_least_backward(const struct body *);	/* ms of the kind with the shortest backward */
/*
 * Return the minimum MB of a layer over kinds. It counts parameters, activations of LIVE micro-batches, and memory of
 * HELD micro-batches that wait for their weight gradients.
 */
double body_least_memory(const struct body *, int live, int held);

#endif
