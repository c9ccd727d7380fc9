/*
 * Layout DP: all layouts, which are ways to lay the layers over the pieces in the model's order, whole numbers of them,
 * by dynamic programming over (pieces, layers placed), when each layer has a price in each piece: the cheapest layout,
 * and the mean of all in which cheaper ones have more weight (a Gibbs distribution).
 */
#ifndef LAYOUT_DP_H
#define LAYOUT_DP_H

#include "sapp-lp/model/problem.h"

struct layout_dp {
	const struct problem *p;
	int *body;		/* [layers], of each layer in the model's order */
	int *low, *high;	/* [pieces + 1], layers that the first pieces in the model's order can hold */
	int *left;		/* [pieces][layers + 1], least layers before a piece with so many behind it */
	size_t *edge;		/* [pieces][layers + 1], where the weights of a state's edges are */
	size_t edges;		/* each state's rounded up to a multiple of LANES */
	double *weight;		/* [edges] */
	/* [pieces + 1][layers + 1]: least cost, and weight of all ways, to a state; weight of all ways from it. */
	double *cost, *above, *beyond;	/* the last two, and worth, with room for LANES more */
	double *sum, *worth;	/* [layers + 1], scratch */
	int *queue;		/* [layers + 1], scratch */
	bool none;		/* no layout is left: there is no plan shorter than the horizon */
};

/* Whether there are few enough states and edges at all. */
bool layout_dp_can(const struct problem *);
struct layout_dp layout_dp_new(const struct problem *);
void layout_dp_free(struct layout_dp *);
/*
 * Drop the edges of no plan shorter than HORIZON, ms: where a piece, and what the other pieces of its stage hold at
 * least, keep the stage busy for so long, or exceed its limit. False: nothing is left, or too much to list.
 */
bool layout_dp_narrow(struct layout_dp *, double horizon);
/* The least sum of PRICE[pieces][bodies], pieces in the model's order, over all layouts. */
double layout_dp_least(struct layout_dp *, const double *price);
/*
 * The mean LAYERS[pieces][bodies], pieces in the model's order, over all layouts: one has exp(SHARPNESS) times the
 * weight of one that costs 1 more, about. False: no number can hold the weights.
 */
bool layout_dp_mean(struct layout_dp *, const double *price, double sharpness, double *layers);

#endif
