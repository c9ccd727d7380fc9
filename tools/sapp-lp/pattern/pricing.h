/*
 * Pricing: lower bounds on the cost of settings of a stage's contents, ms added to a mean of paths, if settings are too
 * many to list. The stage's memory is relaxed by Lagrange multipliers (Everett 1963).
 */
#ifndef PRICING_H
#define PRICING_H

#include "sapp-lp/model/stage_settings.h"

struct pricing {			/* of one stage */
	const struct problem *problem;
	int stage;
	struct times *worth;	/* [chunks], visits of the chunk's times by the mean of paths */
	bool begun;		/* the first multipliers exist: since the first price */
	int n;			/* sets of multipliers; each bounds the cost of any contents */
	double **multiplier;	/* [n][rows of memory], ms per MB */
	/* [chunks][contents], 1 + place of a content in least[]; 0: not requested yet */
	int *place, places, room;
	double **least;		/* [n][room], ms, least cost of a chunk's content including memory; NAN: unknown */
};

/* Price under WEIGHT, a mean of paths. */
struct pricing pricing_new(const struct problem *, int stage, const struct visits *weight);
void pricing_free(struct pricing *);
/* Return a lower bound on the cost of the settings of CONTENT[chunks] that fit. */
double pricing_bound(struct pricing *, const int *content);
/* With one chunk per stage, return a lower bound on a content's backward, ms, or INFINITY if it does not fit. */
double pricing_floor(const struct problem *, int stage, int content);

/* The terms of the bound, for exact_price.h. */

struct prices {		/* ms per MB of a chunk: of its activation; of memory kept until its W */
	double activation, kept;
};

/* Keep a set of multipliers, unless known or full. */
void pricing_add(struct pricing *, const double *multiplier);
/* Return the cost of the contents without the backward of their layers, ms; ROOM[rows]: MB for activations. */
double pricing_fixed(const struct pricing *, const int *content, double *room);
/* Return the best bound of all sets, without pricing_fixed(), ms; *AT: that set, -1: all multipliers zero. */
double pricing_best(struct pricing *, const int *content, const double *room, int *at);
/* Return the price of a chunk's memory under a set's multipliers. */
struct prices pricing_memory(const struct pricing *, const double *multiplier, int chunk);
/* Return the least cost of any mix of a chunk's content, ms, including memory, with TIE more visits of its backward. */
double pricing_least(const struct pricing *, int chunk, int content, struct prices per_mb, double tie);
/* Return an upper bound on subtracted terms, ms: weight gradient parts that a mean of paths does not visit. */
double pricing_subtracted(const struct pricing *, const int *content);
/*
 * Return an upper bound on the backward of a content's mixes, ms: that of the last mix of its front, if backwards have
 * no parts.
 */
double pricing_slowest(const struct problem *, int content, const struct pareto_front *);
/* Return the number of terms in the price of a chunk's memory; in the bound of all chunks: for rounded_down(). */
int pricing_memory_terms(const struct pricing *);
int pricing_terms(const struct pricing *);

#endif
