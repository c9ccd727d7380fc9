/* Network: the layers of a model as the planner and the simulator need them, every default filled in. */
#ifndef NETWORK_H
#define NETWORK_H

#include "lib/record/layer.h"
#include "lib/record/record.h"
#include "nesting.h"

struct body {
	const char *name;
	int layers;
	double forward;				/* ms, one layer, one micro-batch */
	double parameter;			/* MB, one layer */
	double transient;			/* MB, there only while a layer runs */
	bool has[RECOMPUTE_KINDS];		/* kinds that may be planned with */
	double backward[RECOMPUTE_KINDS];	/* ms */
	double activation[RECOMPUTE_KINDS];	/* MB */
};

struct end {				/* all HEAD layers on the first piece, all TAIL layers on the last */
	double forward, backward;	/* ms */
	double parameter;		/* MB */
	double transient;		/* MB, there only while one of them runs: of the largest */
};

struct network {
	const char *name;
	const struct model *model;	/* NULL: no model record */
	double constant;		/* MB on every stage */
	struct end head, tail;
	int nbodies;
	struct body *body;		/* in the order in which they are laid over the pipeline */
	int layers;			/* of all bodies */
	int splits;			/* 0, or what network_split() was asked for */
	/*
	 * Pieces that are all recomputed alike: only the first FIRST_LAYERS layers of a piece, of the first
	 * FIRST_BODIES bodies, as a whole, and no others.
	 */
	bool first_only;
	int first_layers, first_bodies;
	struct nesting *nesting;	/* of the kinds of recomputation, its own; NULL: that of the built-in ones */
	int piece_layers;		/* at most in a piece; 0: any number */
	struct place place;		/* of the first record */
};

/*
 * Collect the model called NAME (NULL: the only one) from records that must outlive the network.
 * Exits with a message when there is none, more than one, or no BODY layer in it.
 */
struct network network_from_records(const struct records *, const char *name);
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
void network_free(struct network *);

/* Does any layer take memory only while it runs? */
bool network_transient(const struct network *);
/* MB that a layer keeps for a micro-batch in the kind of recomputation that keeps least. */
double body_least_activation(const struct body *);

#endif
