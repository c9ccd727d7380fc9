/* Network: the layers of a model as the planner and the simulator need them, every default filled in. */
#ifndef NETWORK_H
#define NETWORK_H

#include "lib/record/layer.h"
#include "lib/record/record.h"
#include "lib/target/holding.h"
#include "nesting.h"

/*
 * Layers of one kind: BODY layers, or those of the model's head or tail that stand wherever they are best, before the
 * first or behind the last BODY layer. These are not recomputed.
 */
struct body {
	const char *name;
	int side;				/* 0: BODY layers; -1: of the head; 1: of the tail */
	int layers;
	double forward;				/* ms, one layer, one micro-batch */
	double parameter;			/* MB, one layer */
	double transient;			/* MB, there only while a layer runs */
	double floor;				/* MB at another moment than the pipeline's; 0: none known */
	double error;				/* of its times, over micro-batches: deviation over mean */
	bool has[RECOMPUTE_KINDS];		/* kinds that may be planned with */
	unsigned measured;			/* a set of kinds whose activation is given */
	unsigned dropped;			/* a set of kinds that may not, though figures of them are given */
	double backward[RECOMPUTE_KINDS];	/* ms */
	double activation[RECOMPUTE_KINDS];	/* MB, with what has not been offloaded when the forward ends */
	double offload[RECOMPUTE_KINDS];	/* MB that leave during the forward and return for the backward */
	double stays[RECOMPUTE_KINDS];		/* MB of activation besides; only where the network has a link */
	/* ms, what the link takes to move those twice, less the forward; the same */
	double link[RECOMPUTE_KINDS];
	bool weighed;				/* weight is given: see weights.h */
	double weight;				/* ms of any backward that the weights' gradients take at least */
	double kept;				/* MB at least from the rest of a backward to that, if network.keeps */
	/* ms and MB of those more with each kind; not negative of a kind that may be planned with */
	double weight_more[RECOMPUTE_KINDS], kept_more[RECOMPUTE_KINDS];
};

/* All HEAD layers that are bound to BODY layers on the first piece, all such TAIL layers on the last. */
struct end {
	bool there;			/* there are such layers */
	double forward, backward;	/* ms */
	double parameter;		/* MB */
	double transient;		/* MB, there only while one of them runs: of the largest */
	double error;			/* of their times, over micro-batches: deviation over mean */
	bool weighed;
	double weight;			/* as that of a body */
};

struct outer {			/* layers that are in the first piece (side -1) or in the last one (side 1) */
	const char *name;
	int side, layers;
};

struct network {
	const char *name;
	const struct model *model;	/* NULL: no model record */
	double constant;		/* MB on every stage */
	struct end head, tail;
	int nbodies;
	struct body *body;		/* in the order in which they are laid over the pipeline */
	int layers;			/* of all bodies */
	int free_ends;			/* of them, those that are no BODY layers */
	int nouter;
	struct outer *outer;		/* [nouter], its own: layers of head and tail that network_bind() bound */
	int splits;			/* 0, or what network_split() was asked for */
	/*
	 * Pieces that are all recomputed alike: only the first FIRST_LAYERS layers of a piece, of the first
	 * FIRST_BODIES bodies, as a whole, and no others.
	 */
	bool first_only;
	int first_layers, first_bodies;
	struct nesting *nesting;	/* of the kinds of recomputation, its own; NULL: that of the built-in ones */
	/*
	 * Where backwards are split, all activations of a layer are there until the rest of its backward has run, and
	 * then body.kept until the weights' part has; otherwise its activations are there until that.
	 */
	bool keeps;
	bool weighs_kinds, keeps_kinds;	/* kinds of recomputation differ in weight_more, in kept_more */
	/* MB that a device offloads or gets back in a ms; 0: nothing is offloaded, see offload.h */
	double link;
	int piece_layers;		/* at most in a piece; 0: any number */
	bool empty;			/* pieces without an end may have no layers */
	bool alone;			/* nor do pieces need any BODY layers with an end */
	bool at_ends;			/* ends that are not bound are in the first and the last piece all the same */
	enum predicting predicting;
	int predict_from, predict_to;	/* of all layers those that predict further tokens: from one up to another */
	struct place place;		/* of the first record */
};

/*
 * Collect the model called NAME (NULL: the only one) from records that must outlive the network.
 * Exits with a message when there is none, more than one, or no BODY layer in it.
 */
struct network network_from_records(const struct records *, const char *name);
/* Warn of kinds of recomputation that are dropped, and of those whose backward is shorter than without. */
void network_warn(const struct network *);
/*
 * Times and memory of one of SPLITS parts of a micro-batch's sequences, sapp.7; layers cannot be recomputed whole
 * then. Exits naming AT when the model record does not say what that takes.
 */
void network_split(struct network *, int splits, struct place at);
/*
 * Keep only the kinds of recomputation that lists of patterns can say; warns of others, and exits where a layer has
 * none left.
 */
void network_keep_said(struct network *);
/* The same of what the settings of WHO can say: KINDS, a set of 1 << kind. */
void network_keep_modules(struct network *, const char *who, unsigned kinds);
void network_free(struct network *);

/* Layers that the piece with number POSITION of PIECES in the model's order holds at least. */
int network_fewest(const struct network *, int position, int pieces);
/* Layers that all pieces together hold at least, and one of them at most. */
int network_needed(const struct network *, int pieces);
int network_most(const struct network *, int pieces);
/* BODY layers: those that training YAMLs and scripts count. */
int network_body_layers(const struct network *);
/*
 * Bind layers of head and tail to BODY layers, those of a side together if none keeps activations, but for those of
 * which KEPT (NULL: none) is true of the name. Others are there by AT_ENDS.
 */
void network_bind(struct network *, bool (*kept)(const char *name));
/* Does any layer take memory only while it runs? */
bool network_transient(const struct network *);
/* Forbid a layer the kinds of a set; false when it has none left. */
bool body_forbid(struct body *, unsigned kinds);
/* MB that a layer keeps for a micro-batch in the kind of recomputation that keeps least. */
double body_least_activation(const struct body *);
double body_least_backward(const struct body *);	/* ms, in its fastest kind */
/*
 * MB of a layer with LIVE micro-batches that it keeps activations for, and HELD ones that wait for their W, in the kind
 * of recomputation with which it has least then, its parameters included.
 */
double body_least_memory(const struct body *, int live, int held);

#endif
