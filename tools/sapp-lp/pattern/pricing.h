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
	bool begun;		/* a price was asked for: the first multipliers are made */
	int n;			/* sets of multipliers that are tried for all contents */
	double **multiplier;	/* [n][rows of memory], ms per MB */
	/* [chunks][contents], 1 + the place of a content that was asked for: few are, of many; and how many places */
	int *place, places, room;
	double **least;		/* [n][places], ms, its least cost with memory paid for; NAN: not known yet */
};

/* Under WEIGHT, a mean of paths. */
struct pricing pricing_new(const struct problem *, int stage, const struct visits *weight);
void pricing_free(struct pricing *);
/* A lower bound on the cost of the settings of CONTENT[chunks] that fit into memory. */
double pricing_bound(struct pricing *, const int *content);
/*
 * With one chunk a stage: a lower bound on the backward time that a content needs there, ms, under any mean of paths.
 */
double pricing_floor(const struct problem *, int stage, int content);

/* Of one set of multipliers, for exact_price.h. */

struct prices {		/* what a MB of a chunk costs, ms: of its activation, and of what it leaves to its W */
	double activation, kept;
};

void pricing_add(struct pricing *, const double *multiplier);	/* a set, unless it is known or there are too many */
/* The cost of the contents without the backward time of their layers; ROOM[rows]: MB for activations. */
double pricing_fixed(const struct pricing *, const int *content, double *room);
/* The best bound of all sets, without pricing_fixed(); *AT: that set, -1: all multipliers zero. */
double pricing_best(struct pricing *, const int *content, const double *room, int *at);
/* What it takes of each row times the row's multiplier. */
struct prices pricing_memory(const struct pricing *, const double *multiplier, int chunk);
/* The least worth of a chunk's content by its visits, and TIE more of backwards. */
double pricing_least(const struct pricing *, int chunk, int content, struct prices per_mb, double tie);
/* What is subtracted within that, at most: weights' parts that a mean of paths does not visit. */
double pricing_subtracted(const struct pricing *, const int *content);
/*
 * An upper bound on the backward time of a content's mixes. Where neither parts of it nor what waits for W matter, the
 * last one of its front is the slowest.
 */
double pricing_slowest(const struct problem *, int content, const struct pareto_front *);
/* Additions in the price of a chunk's memory, and in the sum of all chunks' least worths and prices. */
int pricing_memory_terms(const struct pricing *);
int pricing_terms(const struct pricing *);

#endif
