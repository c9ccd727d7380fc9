/*
 * Content: what a piece can hold: a run of consecutive layers of the model's body, or nothing. Runs with equal numbers
 * of layers of each body are the same content. The mixes of a content, its Pareto front of recomputation, are computed
 * on demand.
 */
#ifndef CONTENT_H
#define CONTENT_H

#include "pareto.h"

struct content {
	int layers;
	int tier;		/* tier of devices: see struct problem */
	int *body;		/* [bodies], layers of each */
	double forward;		/* ms per micro-batch */
	double gradient;	/* ms, minimum of the weight gradient part of backward: see struct mix */
	double parameter;	/* MB */
	double floor;		/* MB at a moment outside the pipeline */
	/* MB, minimum kept for that part, if network.keeps: see struct mix */
	double kept;
	double transient;	/* MB in use only while it runs, maximum over layers */
	double activation;	/* MB, minimum over mixes */
	double backward;	/* ms, minimum over mixes */
};

struct contents {
	int nbodies, ncontents, most;	/* most: layers of the largest content */
	int each;		/* contents per tier, in equal order */
	struct content *content;
	int *index;	/* [layers][most]: content of a run by first layer and length - 1, -1: no mix */
	int layers;		/* of the model */
	int empty;		/* number of the content without layers; -1: none */
	struct front_cache *cache;	/* fronts computed before, shared by threads */
};

/*
 * Create all contents of at most MOST layers on devices of TIERS tiers, with NET[tiers]; for LISTED see pareto_new().
 */
struct contents contents_new(const struct network *net, int tiers, int most, bool listed);
void contents_free(struct contents *);
/* Return the content of LENGTH layers from layer FIRST on devices of a TIER; -1 if it is too long or has no mix. */
int contents_find(const struct contents *, int tier, int first, int length);
/* Return the mixes of a content, valid until contents_forget(), after which equal ones are recomputed. */
const struct pareto_front *contents_front(const struct contents *, int content);
/* Return the least worth of any mix, including those dropped from the front; see pareto_least(). */
double contents_least(const struct contents *, int content, struct rates);
/* Return a lower bound on the backward, ms, with activations of at most ROOM MB; see pareto_floor(). */
double contents_floor(const struct contents *, int content, double room);
/* Free large fronts. No other thread may use mixes meanwhile. */
void contents_forget(const struct contents *);

#endif
