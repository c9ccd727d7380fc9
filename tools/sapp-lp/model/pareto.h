/*
 * Fronts: the ways to recompute some layers that no other beats in both activation memory and
 * backward time.  Where there would be too many, some are kept that are spread over all of them.
 */
#ifndef PARETO_H
#define PARETO_H

#include "lib/model/network.h"

struct mix {
	double activation;	/* MB, one micro-batch */
	double backward;	/* ms */
	short *count;		/* [bodies * RECOMPUTE_KINDS] */
};

struct pareto_front {
	int n;
	bool thinned;		/* there are more than these */
	struct mix *mix;	/* activation descending, backward ascending */
	short *count;		/* of all mixes */
};

void pareto_front_free(struct pareto_front *);

/* Sets of kinds as bits. A run's layers are recomputed by the steps of a way in their order, each by a kind of its step. */
enum { WAYS = 2, WAY_STEPS = 4 };

struct pareto {			/* made when asked for; not by two threads at a time */
	const struct network *net;
	int most;		/* mixes kept of one front */
	int ways, steps;
	unsigned step[WAYS][WAY_STEPS];
	struct layer_fronts *by_layers;	/* [bodies][sets of kinds] */
};

/* MOST: layers of the longest run. LISTED: only mixes that the lists of the training YAML can express. */
struct pareto pareto_new(const struct network *, int most, bool listed);
void pareto_free(struct pareto *);
/* The front of so many layers of each body. */
struct pareto_front pareto_make(struct pareto *, const int *body);
/*
 * The least weighted sum, of all mixes including those that are not kept: PER_MB times the activation and PER_MS
 * times the backward time, neither negative. INFINITY: there is no mix.
 */
double pareto_least(const struct pareto *, const int *body, double per_mb, double per_ms);
/* At most the ms of backward time that any mix needs with activations of at most ROOM MB. */
double pareto_floor(const struct pareto *, const int *body, double room);

#endif
