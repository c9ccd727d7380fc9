/*
 * Pricing: lower bounds on the cost of the settings of a stage's contents, if settings are too many to list. The cost
 * is the ms that a setting adds to a mean of paths. The stage's memory is relaxed by Lagrange multipliers (Everett
 * 1963).
 */
#ifndef PRICING_H
#define PRICING_H

#include "sapp-lp/model/stage_settings.h"

struct pricing {			/* prices of one stage */
	const struct problem *problem;
	int stage;
	struct times *worth;	/* [chunks], number of visits of the chunk's times by the mean of paths */
	bool begun;		/* whether the first multipliers exist, which the first price creates */
	int n;			/* number of sets of multipliers; each set bounds the cost of any contents */
	double **multiplier;	/* [n][rows of memory], ms per MB */
	/* [chunks][contents], 1 + index of a content in least[]; 0: not requested yet */
	int *place, places, room;
	double **least;		/* [n][room], ms, least cost of a chunk's content, memory included; NAN: unknown */
};

/* Create prices under WEIGHT, a mean of paths. */
struct pricing pricing_new(const struct problem *, int stage, const struct visits *weight);
void pricing_free(struct pricing *);
/* Return a lower bound on the cost of the settings of CONTENT[chunks] that fit. */
double pricing_bound(struct pricing *, const int *content);
/* With one chunk per stage, return a lower bound on a content's backward, ms, or INFINITY if it does not fit. */
double pricing_floor(const struct problem *, int stage, int content);

/* The prices in the bound, for exact_price.h. */

struct prices {		/* ms per MB of a chunk's activation, and of its memory kept until W */
	double activation, kept;
};

/* Keep a set of multipliers, unless it is known already or the list is full. */
void pricing_add(struct pricing *, const double *multiplier);
/*
 * Return the cost of the contents without the backward of their layers, ms. ROOM[rows] receives the MB left for
 * activations.
 */
double pricing_fixed(const struct pricing *, const int *content, double *room);
/*
 * Return the best bound of all sets of multipliers, without pricing_fixed(), ms. *AT receives the index of the best
 * set; -1: all multipliers are zero.
 */
double pricing_best(struct pricing *, const int *content, const double *room, int *at);
/* Return the price of a chunk's memory under one set of multipliers. */
struct prices pricing_memory(const struct pricing *, const double *multiplier, int chunk);
/*
 * Return the least cost of all mixes of a chunk's content, ms, memory included. TIE: additional visits of the chunk's
 * backward.
 */
double pricing_least(const struct pricing *, int chunk, int content, struct prices per_mb, double tie);
/*
 * Return an upper bound on the sum of subtracted terms, ms. Subtracted terms are weight gradient parts that the mean of
 * paths does not visit.
 */
double pricing_subtracted(const struct pricing *, const int *content);
/*
 * Return an upper bound on the backward of a content's mixes, ms. If backwards have no parts, it is the backward of the
 * last mix of the front.
 */
double pricing_slowest(const struct problem *, int content, const struct pareto_front *);
/*
 * Return the number of terms in the price of a chunk's memory, for rounded_down(). pricing_terms() returns the number
 * of terms in the bound of all chunks.
 */
int pricing_memory_terms(const struct pricing *);
int pricing_terms(const struct pricing *);

#endif
