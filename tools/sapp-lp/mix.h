/*
 * Contents and mixes.  A content is a run of consecutive body layers, by kind of layer; a mix says how
 * many of them use each kind of recomputation.  Only mixes that no other beats in both
 * activation memory and backward time are kept.
 */
#ifndef MIX_H
#define MIX_H

#include "lib/network.h"

struct mix {
	double activation;	/* MB, one micro-batch */
	double backward;	/* ms */
	short *count;		/* [bodies * RECOMPUTE_KINDS] */
};

struct content {
	int layers;
	int *body;		/* [bodies], layers of each */
	double forward;		/* ms */
	double weight;		/* ms, the part of backward that gives the weights' gradients: half the plain one */
	double parameter;	/* MB */
	bool thinned;		/* there are too many mixes: only some of them are here */
	int nmixes;
	struct mix *mix;	/* activation descending, backward ascending */
};

struct mixes {
	int nbodies, ncontents, most;	/* most: layers of the largest content */
	struct content *content;
	int *index;		/* [layers of the model][most]: content of a run by its first layer and length - 1, -1: no mix */
	int layers;
};

/* All contents of at most MOST layers; LISTED: only mixes that the lists of the training YAML can express. */
struct mixes mixes_new(const struct network *, int most, bool listed);
void mixes_free(struct mixes *);
/* The content of LENGTH layers from layer FIRST on; -1 when it is too long or has no mix. */
int mixes_find(const struct mixes *, int first, int length);

#endif
