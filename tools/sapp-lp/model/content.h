/*
 * Contents and mixes.  A content is a run of consecutive body layers, by kind of layer; a mix says how
 * many of them use each kind of recomputation.  The mixes of a content, those that no other beats in
 * activation memory and backward time, are found when they are first asked for.
 */
#ifndef CONTENT_H
#define CONTENT_H

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

struct contents {
	int nbodies, ncontents, most;	/* most: layers of the largest content */
	struct content *content;
	int *index;		/* [layers of the model][most]: content of a run by its first layer and length - 1, -1: no mix */
	int layers;
	struct kept *kept;	/* fronts, shared by threads */
};

/* All contents of at most MOST layers; LISTED: only mixes that the lists of the training YAML can express. */
struct contents contents_new(const struct network *, int most, bool listed);
void contents_free(struct contents *);
/* The content of LENGTH layers from layer FIRST on; -1 when it is too long or has no mix. */
int contents_find(const struct contents *, int first, int length);
/* The mixes of a content. The same however often it is asked for; it stays until contents_shed(). */
const struct pareto_front *contents_front(const struct contents *, int content);
/* The least weighted sum that a mix of the content has, also one that its front leaves out; see pareto_least(). */
double contents_least(const struct contents *, int content, double per_mb, double per_ms);
/* At most the ms of backward time that the content needs with activations of at most ROOM MB; see pareto_floor(). */
double contents_floor(const struct contents *, int content, double room);
/* Keep at most MOST mixes of a content, 2 at least; to be called before any is asked for. */
void contents_keep(struct contents *, int most);
/* Forget the fronts when they take much memory. No other thread may use the mixes meanwhile. */
void contents_shed(const struct contents *);

#endif
