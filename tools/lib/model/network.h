/* Network: the layers of a model for planner and simulator, with all defaults filled in. */
#ifndef NETWORK_H
#define NETWORK_H

#include "lib/record/layer.h"
#include "lib/record/record.h"
#include "nesting.h"
#include "predicting.h"

/*
 * A kind of layer: BODY layers, or HEAD or TAIL layers that the planner may place before the first or after the last
 * BODY layer. HEAD and TAIL layers are never recomputed.
 */
struct body {
	const char *name;
	int side;				/* 0: BODY; -1: HEAD; 1: TAIL */
	int layers;
	double forward;				/* ms per layer and micro-batch */
	double parameter;			/* MB per layer */
	double transient;			/* MB in use only while a layer runs */
	double floor;				/* MB at a moment outside the pipeline; 0: unknown */
	double error;				/* standard deviation of its times over micro-batches / mean */
	bool has[RECOMPUTE_KINDS];		/* kinds available to plans */
	unsigned measured;			/* set of kinds with a given activation */
	unsigned dropped;			/* set of kinds with figures that are not available to plans */
	double backward[RECOMPUTE_KINDS];	/* ms */
	double activation[RECOMPUTE_KINDS];	/* MB, including what is not yet offloaded at the end of the forward */
	double offload[RECOMPUTE_KINDS];	/* MB offloaded in the forward and fetched for the backward */
	double stays[RECOMPUTE_KINDS];		/* MB of activation not offloaded; only if the network has a link */
	/* ms to move the offloaded memory out and back, minus the forward; only if the network has a link */
	double link[RECOMPUTE_KINDS];
	bool weighed;				/* weight is set: see weights.h */
	double weight;				/* ms, minimum of the weight gradient part of any backward */
	/* MB, minimum kept between the two parts of a backward, if network.keeps */
	double kept;
	/* Increase of weight (ms) and kept (MB) by kind; not negative for available kinds. */
	double weight_more[RECOMPUTE_KINDS], kept_more[RECOMPUTE_KINDS];
};

/* The HEAD layers bound to BODY layers in the first piece, or the TAIL layers bound in the last piece. */
struct end {
	bool there;			/* whether there is any such layer */
	double forward, backward;	/* ms */
	double parameter;		/* MB */
	double transient;		/* MB in use only while a layer runs, maximum over layers */
	double error;			/* standard deviation of their times over micro-batches / mean */
	bool weighed;
	double weight;			/* as in struct body */
};

struct outer {			/* layers in the first piece (side -1) or the last one (side 1) */
	const char *name;
	int side, layers;
};

struct network {
	const char *name;
	const struct model *model;	/* NULL: no model record */
	double constant;		/* MB on every stage */
	struct end head, tail;
	int nbodies;
	struct body *body;		/* in pipeline order */
	int layers;			/* sum over all bodies */
	int free_ends;			/* number of HEAD and TAIL layers among these */
	int nouter;
	struct outer *outer;		/* [nouter], owned: HEAD and TAIL layers that network_bind() bound */
	int splits;			/* 0, or the argument of network_split() */
	/*
	 * All pieces recomputed alike: full recomputation of the first FIRST_LAYERS layers of each piece, in the first
	 * FIRST_BODIES bodies only.
	 */
	bool first_only;
	int first_layers, first_bodies;
	struct nesting *nesting;	/* owned; NULL: the nesting of the built-in kinds */
	/*
	 * With split backwards: keep all activations of a layer until its input gradient part has run, then body.kept
	 * until its weight gradient part has. If false, keep the activations until the weight gradient part has run.
	 */
	bool keeps;
	bool weighs_kinds, keeps_kinds;	/* kinds differ in weight_more, in kept_more */
	/* MB per ms that a device offloads or fetches; 0: no offloading, see offload.h */
	double link;
	int piece_layers;		/* maximum per piece; 0: unlimited */
	bool empty;			/* pieces without HEAD and TAIL may be empty */
	bool alone;			/* pieces with HEAD or TAIL need no BODY layers */
	bool at_ends;			/* unbound HEAD and TAIL layers stay in the first and last piece */
	enum predicting predicting;
	/* multi-token prediction layers: from this one up to before that one, counting all layers */
	int predict_from, predict_to;
	struct place place;		/* of the first record */
};

/*
 * Collect the model NAME (NULL: the only one) from records, which must outlive the network. Exits if no such model
 * exists, more than one, or no BODY layer.
 */
struct network network_from_records(const struct records *, const char *name);
/* Warn about dropped kinds of recomputation, and kinds with a shorter backward than without. */
void network_warn(const struct network *);
/*
 * Set times and memory to one of SPLITS parts of a micro-batch's sequences, see sapp(7); excludes full recomputation.
 * Exits, naming AT, if the model record lacks the sizes for it.
 */
void network_split(struct network *, int splits, struct place at);
/*
 * Keep only the kinds of recomputation that pattern lists can express; warn about other kinds. Exits if a layer has no
 * kind left.
 */
void network_keep_said(struct network *);
/* Do the same for KINDS, a set of 1 << kind, that the settings of WHO can express. */
void network_keep_modules(struct network *, const char *who, unsigned kinds);
void network_free(struct network *);

/* Return the minimum number of layers in the piece at POSITION of PIECES, in model order. */
int network_fewest(const struct network *, int position, int pieces);
/* Return the minimum number of layers in all pieces together; the maximum number in one piece. */
int network_needed(const struct network *, int pieces);
int network_most(const struct network *, int pieces);
/* Return the number of BODY layers, which training YAMLs and scripts count. */
int network_body_layers(const struct network *);
/*
 * Bind HEAD and TAIL layers to BODY layers, all of a side together if none keeps activations, except layers whose name
 * KEPT accepts (NULL: none). Others get placed via at_ends.
 */
void network_bind(struct network *, bool (*kept)(const char *name));
/* Return whether any layer takes memory only while it runs. */
bool network_transient(const struct network *);
/* Remove a set of kinds from a layer; false if it has none left. */
bool body_forbid(struct body *, unsigned kinds);
/* Return the MB per layer and micro-batch of the kind that keeps least. */
double body_least_activation(const struct body *);
double body_least_backward(const struct body *);	/* ms, in the fastest kind */
/*
 * Return the minimum MB of a layer over kinds, parameters included, with activations of LIVE micro-batches and HELD
 * ones that await their weight gradients.
 */
double body_least_memory(const struct body *, int live, int held);

#endif
