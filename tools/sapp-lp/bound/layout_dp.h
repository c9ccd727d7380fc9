/*
 * Layout DP: dynamic programming over all layouts. A layout places whole layers on the pieces in model order. The state
 * is (number of pieces filled, number of layers placed). Each layer has a price per piece. The result is the cheapest
 * layout, or the mean of all layouts with larger weight on cheaper layouts (a Gibbs distribution).
 */
#ifndef LAYOUT_DP_H
#define LAYOUT_DP_H

#include "sapp-lp/model/problem.h"

struct layout_dp {
	const struct problem *p;
	int *body;		/* [layers], body of each layer in model order */
	/* [pieces + 1], minimum and maximum number of layers in the first n pieces in model order */
	int *low, *high;
	/* [pieces][layers + 1], minimum number of layers placed before a piece, by the number placed after it */
	int *left;
	size_t *edge;		/* [pieces][layers + 1], index in weight of a state's first edge */
	size_t edges;		/* number of edges, each state's number rounded up to a multiple of LANES */
	double *weight;		/* [edges] */
	/*
	 * [pieces + 1][layers + 1]: least cost to reach a state; weight of all ways to the state; weight of all ways
	 * from it.
	 */
	double *cost, *above, *beyond;	/* above, beyond and worth have room for LANES more elements */
	double *sum, *worth;	/* [layers + 1], scratch */
	int *queue;		/* [layers + 1], scratch */
	bool none;		/* no layout is left, so no plan is shorter than the horizon */
};

/* Return whether the numbers of states and edges are small enough. */
bool layout_dp_can(const struct problem *);
struct layout_dp layout_dp_new(const struct problem *);
void layout_dp_free(struct layout_dp *);
/*
 * Drop every edge that no plan shorter than HORIZON (ms) can use. The piece of such an edge, with the minimum in the
 * stage's other pieces, keeps the stage busy for HORIZON or exceeds its memory. Return false if no edge is left, or if
 * too many are left to list.
 */
bool layout_dp_narrow(struct layout_dp *, double horizon);
/* Return the minimum over all layouts of the sum of PRICE[pieces][bodies], ms. Pieces are in model order. */
double layout_dp_least(struct layout_dp *, const double *price);
/*
 * Get the mean over all layouts in LAYERS[pieces][bodies], pieces in model order. A layout that costs 1 ms less has
 * about exp(SHARPNESS) times the weight. Return false if the weights overflow.
 */
bool layout_dp_mean(struct layout_dp *, const double *price, double sharpness, double *layers);

#endif
