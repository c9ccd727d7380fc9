/*
 * Pricing: what the settings of a stage's contents cost at least, ms that its pieces add to a mean of paths, where
 * there are too many settings to list them.  The memory of the stage is relaxed by Lagrange multipliers (Everett 1963).
 */
#ifndef PRICING_H
#define PRICING_H

#include "sapp-lp/model/stage_settings.h"

struct pricing {			/* of one stage */
	const struct problem *problem;
	int stage;
	struct times *worth;	/* [chunks], visits of the mean of paths to the chunk's times */
	bool begun;		/* the first multipliers are made: when a price is asked for first */
	int n;			/* sets of multipliers, each of which bounds the cost of any contents */
	double **multiplier;	/* [n][rows of memory], ms per MB */
	/* [chunks][contents], 1 + the place of a content in least[], 0: of the many contents, not asked for yet */
	int *place, places, room;
	double **least;		/* [n][room], ms, least cost of a chunk's content, memory paid for; NAN: not known */
};

/* Under WEIGHT, a mean of paths. */
struct pricing pricing_new(const struct problem *, int stage, const struct visits *weight);
void pricing_free(struct pricing *);
/* A lower bound on the cost of the settings of CONTENT[chunks] that fit into memory. */
double pricing_bound(struct pricing *, const int *content);
/* With one chunk a stage: a lower bound on a content's backward time there, ms; INFINITY: it does not fit. */
double pricing_floor(const struct problem *, int stage, int content);

/* The terms of the bound, for exact_price.h. */

struct prices {		/* ms that a MB of a chunk costs: of its activation, and of what it keeps until its W */
	double activation, kept;
};

/* Keep a set of multipliers, unless it is known or there are too many. */
void pricing_add(struct pricing *, const double *multiplier);
/* The cost of the contents without the backward time of their layers, ms; ROOM[rows]: MB for activations. */
double pricing_fixed(const struct pricing *, const int *content, double *room);
/* The best bound of all sets, without pricing_fixed(), ms; *AT: that set, -1: all multipliers zero. */
double pricing_best(struct pricing *, const int *content, const double *room, int *at);
/* What a set's multipliers make of a chunk's memory. */
struct prices pricing_memory(const struct pricing *, const double *multiplier, int chunk);
/* The least cost of any mix of a chunk's content, ms, memory paid for, with TIE more visits of its backward. */
double pricing_least(const struct pricing *, int chunk, int content, struct prices per_mb, double tie);
/* An upper bound on the terms subtracted in that, ms: weights' parts that a mean of paths does not visit. */
double pricing_subtracted(const struct pricing *, const int *content);
/*
 * An upper bound on the backward time of a content's mixes, ms: that of the last mix of its front, where backwards have
 * no parts.
 */
double pricing_slowest(const struct problem *, int content, const struct pareto_front *);
/* How many terms are added for the price of a chunk's memory, and for the bound of all chunks: for rounded_down(). */
int pricing_memory_terms(const struct pricing *);
int pricing_terms(const struct pricing *);

#endif
