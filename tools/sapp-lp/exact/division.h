/*
 * Division: branching. A node is divided into two children, and both exclude the convex combination in the node's
 * master solution. Pseudo-costs select the best division.
 */
#ifndef DIVISION_H
#define DIVISION_H

#include "master.h"
#include "pseudo_costs.h"

struct divisions {		/* pseudo-costs of divisions */
	/* [stages], for divisions by a stage's layers; [pieces], for divisions by a piece's layers */
	struct pseudo_costs total, layers;
};

struct exact_division {
	/* pseudo-costs of the branching variable; NULL: a division by borders or times */
	struct pseudo_costs *by;
	int at;			/* index of the variable in by */
	double distance[2];	/* layers from the mean to the range of the lower child and of the upper child */
};

struct divisions divisions_new(const struct problem *);
void divisions_free(struct divisions *);
/*
 * Divide a node into LOW and HIGH. If the solution is out of order, divide by a border between bodies. Otherwise divide
 * by the number of layers of the stage, or else of the piece, with the best score. Otherwise divide by the backward
 * time, or else by its weight gradient part, of the piece whose combined values differ most. Return false if no
 * solution exists, or the solution combines nothing.
 */
bool divide(struct divisions *, const struct problem *, const struct mastered *, const struct node_bounds *node,
    struct node_bounds *low, struct node_bounds *high, struct exact_division *);
/*
 * Record that the bound of a child rose by GAIN, ms, when it was first bounded. Later calls for the child are ignored.
 */
void division_learn(struct exact_division *, bool upper, double gain);

#endif
