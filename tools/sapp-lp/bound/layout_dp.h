/*
 * Layout DP: dynamic programming over all layouts. A layout places whole layers on the pieces in model order; the state
 * is (pieces, layers placed), and each layer has a price per piece. Gives the cheapest layout, and the mean of all with
 * larger weight on cheaper ones (a Gibbs distribution).
 */
#ifndef LAYOUT_DP_H
#define LAYOUT_DP_H

#include "sapp-lp/model/problem.h"

struct layout_dp {
	const struct problem *p;
	int *body;		/* [layers], in model order */
	int *low, *high;	/* [pieces + 1], range of layers in the first pieces in model order */
	int *left;		/* [pieces][layers + 1], minimum layers before a piece for each number after it */
	size_t *edge;		/* [pieces][layers + 1], start of the weights of a state's edges */
	size_t edges;		/* each state's number rounded up to a multiple of LANES */
	double *weight;		/* [edges] */
	/* [pieces + 1][layers + 1]: least cost to a state; weight of all ways to it; weight of all ways from it. */
	double *cost, *above, *beyond;	/* above, beyond and worth have room for LANES more */
	double *sum, *worth;	/* [layers + 1], scratch */
	int *queue;		/* [layers + 1], scratch */
	bool none;		/* no layout is left: no plan is shorter than the horizon */
};

/* Return whether states and edges are few enough. */
bool layout_dp_can(const struct problem *);
struct layout_dp layout_dp_new(const struct problem *);
void layout_dp_free(struct layout_dp *);
/*
 * Drop every edge that no plan shorter than HORIZON (ms) can use: its piece, with the minimum that the stage's other
 * pieces hold, keeps the stage busy for HORIZON or exceeds its memory. Return false if no edge is left, or too many to
 * list.
 */
bool layout_dp_narrow(struct layout_dp *, double horizon);
/* Return the least sum of PRICE[pieces][bodies], pieces in model order, over all layouts. */
double layout_dp_least(struct layout_dp *, const double *price);
/*
 * Get the mean LAYERS[pieces][bodies], pieces in model order, over all layouts: about exp(SHARPNESS) times the weight
 * for a cost lower by 1. Return false if the weights overflow.
 */
bool layout_dp_mean(struct layout_dp *, const double *price, double sharpness, double *layers);

#endif
