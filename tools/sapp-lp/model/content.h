/*
 * Content: what a piece can hold, a run of consecutive layers of the model's body, or nothing.  Runs with the same
 * number of layers of each body are the same content.  The mixes of a content, its Pareto front of ways to recompute
 * it, are made when they are first asked for.
 */
#ifndef CONTENT_H
#define CONTENT_H

#include "pareto.h"

struct content {
	int layers;
	int tier;		/* of devices: see struct problem */
	int *body;		/* [bodies], layers of each */
	double forward;		/* ms of a micro-batch */
	double gradient;	/* ms, the part of backward for the weights' gradients, at least: see struct mix */
	double parameter;	/* MB */
	double floor;		/* MB at another moment than the pipeline's */
	/* MB that the rest of a backward leaves to that part, if network.keeps, at least: see struct mix */
	double kept;
	double transient;	/* MB, there only while it runs: of its largest layer */
	double activation;	/* MB, the least of any mix */
	double backward;	/* ms, the least of any mix */
};

struct contents {
	int nbodies, ncontents, most;	/* most: layers of the largest content */
	int each;		/* contents of a tier, in the same order in each */
	struct content *content;
	int *index;	/* [layers][most]: content of a run by its first layer and length - 1, -1: it has no mix */
	int layers;		/* of the model */
	int empty;		/* the content without layers; -1: there is none */
	struct front_cache *cache;	/* the fronts made so far, shared by threads */
};

/*
 * All contents of at most MOST layers on devices of so many TIERS, as each of NET[tiers] has them; the rest as for
 * pareto_new().
 */
struct contents contents_new(const struct network *net, int tiers, int most, bool listed);
void contents_free(struct contents *);
/* The content of LENGTH layers from layer FIRST on, on devices of a TIER; -1 when it is too long or has no mix. */
int contents_find(const struct contents *, int tier, int first, int length);
/* The mixes of a content; valid until contents_forget(), after which the same ones are made again. */
const struct pareto_front *contents_front(const struct contents *, int content);
/* The least worth of any mix of the content, also of those that its front leaves out; see pareto_least(). */
double contents_least(const struct contents *, int content, struct rates);
/* A lower bound on the content's backward time, ms, with activations of at most ROOM MB; see pareto_floor(). */
double contents_floor(const struct contents *, int content, double room);
/* Free the fronts where they take much memory. No other thread may use mixes meanwhile. */
void contents_forget(const struct contents *);

#endif
