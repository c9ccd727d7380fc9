/*
 * Content of a piece: a run of consecutive layers of the model's body, or nothing. Runs with equal numbers of layers of
 * each body are the same content. Each content has a Pareto front of mixes of recomputation, computed on demand.
 */
#ifndef CONTENT_H
#define CONTENT_H

#include "pareto.h"

struct content {
	int layers;
	int tier;		/* tier of devices: see struct problem */
	int *body;		/* [bodies], number of layers of each */
	double forward;		/* ms per micro-batch */
	double gradient;	/* ms, minimum of the weight gradient part of backward: see struct mix */
	double parameter;	/* MB */
	double floor;		/* MB needed at a moment outside the pipeline */
	/* MB kept for the weight gradient part, minimum over mixes, if network.keeps: see struct mix */
	double kept;
	double transient;	/* MB in use only while the piece runs, maximum over layers */
	double activation;	/* MB, minimum over mixes */
	double backward;	/* ms, minimum over mixes */
};

struct contents {
	int nbodies, ncontents, most;	/* most: number of layers of the largest content */
	int each;		/* number of contents per tier, listed in the same order for each tier */
	struct content *content;
	/* [layers][most]: content of the run with this first layer and length - 1; -1: the run has no mix */
	int *index;
	int layers;		/* number of layers of the model */
	int empty;		/* index of the content without layers; -1: none */
	struct front_cache *cache;	/* fronts computed already, shared by threads */
};

/*
 * Create all contents of at most MOST layers on devices of TIERS tiers, with NET[tiers]; for LISTED see pareto_new().
 */
struct contents contents_new(const struct network *net, int tiers, int most, bool listed);
void contents_free(struct contents *);
/* Return the content of LENGTH layers from layer FIRST on devices of a TIER; -1 if it is too long or has no mix. */
int contents_find(const struct contents *, int tier, int first, int length);
/* Return the mixes of a content. They are valid until contents_forget(); a later call computes equal mixes again. */
const struct pareto_front *contents_front(const struct contents *, int content);
/* Return the least worth of any mix, including those dropped from the front; see pareto_least(). */
double contents_least(const struct contents *, int content, struct rates);
/* Return a lower bound on the backward, ms, with activations of at most ROOM MB; see pareto_floor(). */
double contents_floor(const struct contents *, int content, double room);
/* Free large fronts. No other thread may use mixes during the call. */
void contents_forget(const struct contents *);

#endif
