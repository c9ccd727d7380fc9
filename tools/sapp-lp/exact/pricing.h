/*
 * Pricing: the cost of the cheapest setting of a stage's contents, ms that its pieces add to a mean of paths, where
 * there are too many settings to list them.  The memory of the stage is relaxed by Lagrange multipliers (Everett 1963)
 * for a lower bound; branch and bound over the chunks' mixes finds the cost itself.
 */
#ifndef PRICING_H
#define PRICING_H

#include "node_bounds.h"

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
/*
 * A lower bound on the cost of the settings of CONTENT[chunks] that fit into memory. Multipliers found by
 * pricing_exact() of other contents can make it better.
 */
double pricing_bound(struct pricing *, const int *content);
/*
 * The cost of the cheapest setting within BOUNDS (NULL: any), INFINITY if there is none; MIX[chunks] is that setting.
 * Where a front is thinned, or branch and bound takes too long, a lower bound on the cost, and MIX may cost more, or be
 * outside the bounds.
 */
double pricing_exact(struct pricing *, const int *content, const struct node_bounds *bounds, int *mix);

/*
 * With one chunk a stage: a lower bound on the backward time that a content needs there, ms, under any mean of paths.
 */
double pricing_floor(const struct problem *, int stage, int content);

#endif
