/*
 * Contents and mixes.  A content is a run of consecutive body layers, by kind of layer; a mix says how
 * many of them use each kind of recomputation.  The mixes of a content, those that no other beats in
 * activation memory and backward time, are found when they are first asked for.
 */
#ifndef MIX_H
#define MIX_H

#include "pareto.h"

struct content {
	int layers;
	int *body;		/* [bodies], layers of each */
	double forward;		/* ms */
	double weight;		/* ms, the part of backward that gives the weights' gradients: half the plain one */
	double parameter;	/* MB */
	double activation;	/* MB, backward: ms, the least that any mix has */
	double backward;
};

struct mixes {
	int nbodies, ncontents, most;	/* most: layers of the largest content */
	struct content *content;
	int *index;		/* [layers of the model][most]: content of a run by its first layer and length - 1, -1: no mix */
	int layers;
	struct kept *kept;	/* fronts, shared by threads */
};

/* All contents of at most MOST layers; LISTED: only mixes that the lists of the training YAML can express. */
struct mixes mixes_new(const struct network *, int most, bool listed);
void mixes_free(struct mixes *);
/* The content of LENGTH layers from layer FIRST on; -1 when it is too long or has no mix. */
int mixes_find(const struct mixes *, int first, int length);
/* The mixes of a content. The same however often it is asked for; it stays until mixes_shed(). */
const struct front *mixes_front(const struct mixes *, int content);
/* The least weighted sum that a mix of the content has, also one that its front leaves out; see fronts_least(). */
double mixes_least(const struct mixes *, int content, double per_mb, double per_ms);
/* At most the ms of backward time that the content needs with activations of at most ROOM MB; see fronts_floor(). */
double mixes_floor(const struct mixes *, int content, double room);
/* Keep at most MOST mixes of a content, 2 at least; to be called before any is asked for. */
void mixes_keep(struct mixes *, int most);
/* Forget the fronts when they take much memory. No other thread may use the mixes meanwhile. */
void mixes_shed(const struct mixes *);

#endif
