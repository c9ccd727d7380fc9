/*
 * Division: branching.  A node is divided into two children so that neither allows the convex combination in its
 * master problem's solution; pseudo-costs choose among the candidates.
 */
#ifndef DIVISION_H
#define DIVISION_H

#include "master.h"
#include "pseudo_costs.h"

struct divisions {		/* pseudo-costs of dividing */
	struct pseudo_costs total, layers;	/* by the layers of a stage, [stages], and of a piece, [pieces] */
};

struct division {
	struct pseudo_costs *by;	/* those that it belongs to; NULL: none, it is by borders or times */
	int at;			/* number in them */
	double distance[2];	/* layers from the mean to what the lower and the upper child allow */
};

struct divisions divisions_new(const struct problem *);
void divisions_free(struct divisions *);
/*
 * Divide a node by a border between bodies, if the solution is out of order; else by the layers of the stage, else of
 * the piece, of the best score; else by the backward time, else by the weights' part of it, of the piece in which the
 * solution combines the most different values. False: the solution combines nothing, or there is none.
 */
bool divide(struct divisions *, const struct problem *, const struct mastered *, const struct node_bounds *node,
    struct node_bounds *low, struct node_bounds *high, struct division *);
/* The bound of one of its children rose by GAIN, ms, when it was bounded first; later calls do not count. */
void division_learn(struct division *, bool upper, double gain);

#endif
