/*
 * Prices: what the cheapest setting of a stage's contents costs under a mean of paths, where there are too
 * many settings to list them.  Memory is relaxed by multipliers (Everett 1963) for a bound, and branch and
 * bound over the chunks' mixes finds the price itself.
 */
#ifndef PRICING_H
#define PRICING_H

#include "node_bounds.h"

struct pricing {			/* of one stage */
	const struct problem *problem;
	int stage;
	struct times *worth;	/* [chunks] */
	bool begun;		/* some price was asked for */
	int n;			/* multipliers that are tried for all contents */
	double **multiplier;	/* [n][rows of memory], per MB */
	double **least;		/* [n][chunks][contents], the least sum of a content's mixes; NAN: not known yet */
};

/* WEIGHT: a mean of paths. */
struct pricing pricing_new(const struct problem *, int stage, const struct visits *weight);
void pricing_free(struct pricing *);
/* At most what the cheapest setting of CONTENT[chunks] that fits into memory costs; more after pricing_exact() of others. */
double pricing_bound(struct pricing *, const int *content);
/*
 * The cheapest setting within BOX (NULL: anything): what it costs, INFINITY if there is none; MIX[chunks] is the best
 * one found. Where fronts are thinned or branch and bound takes too long, only at most what it costs, and MIX may be
 * dearer, or outside the bounds.
 */
double pricing_exact(struct pricing *, const int *content, const struct node_bounds *, int *mix);

/* With one chunk a stage: at most the ms of backward time that a content needs there, whatever the weights are. */
double pricing_floor(const struct problem *, int stage, int content);

#endif
