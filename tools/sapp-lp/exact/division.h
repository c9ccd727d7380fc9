/*
 * Division: branching. A node is divided into two children, and both exclude the convex combination in the node's
 * master solution. Pseudo-costs select the best division.
 */
#ifndef DIVISION_H
#define DIVISION_H

#include "master.h"
#include "pseudo_costs.h"

struct divisions {		/* pseudo-costs of divisions */
	/*
	 * [stages], for branching on a stage's number of layers; [pieces], for branching on a piece's number of layers
	 */
	struct pseudo_costs total, layers;
};

struct exact_division {
	/* pseudo-costs of the branching variable; NULL: the branching variable is a border or a time */
	struct pseudo_costs *by;
	int at;			/* index of the variable in by */
	/* number of layers from the mean in the master solution to the range of the lower child, of the upper child */
	double distance[2];
};

struct divisions divisions_new(const struct problem *);
void divisions_free(struct divisions *);
/*
 * Divide a node into the children LOW and HIGH. If the layers in the master solution are out of model order, branch on
 * a border between bodies. Otherwise branch on the number of layers of a stage, or else of a piece, chosen by the best
 * score. If all these numbers are whole, branch on the backward time of a piece, or else on the weight gradient part of
 * this time. The piece is the one whose combined values differ most. Return false if no solution exists, or if the
 * solution combines nothing.
 */
bool divide(struct divisions *, const struct problem *, const struct mastered *, const struct node_bounds *node,
    struct node_bounds *low, struct node_bounds *high, struct exact_division *);
/*
 * Record that the bound of a child rose by GAIN, ms, when it was first bounded. Later calls for the child are ignored.
 */
void division_learn(struct exact_division *, bool upper, double gain);

#endif
