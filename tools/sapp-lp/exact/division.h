/*
 * Division: the two children that a node of branch and bound is divided into, so that neither allows what the node's
 * solution combines, chosen by what the divisions before have raised bounds by.
 */
#ifndef DIVISION_H
#define DIVISION_H

#include "master.h"
#include "pseudo_costs.h"

struct divisions {		/* what is known of them */
	struct pseudo_costs total, layers;	/* by a stage's layers, [stages], and by a piece's, [pieces] */
};

struct division {
	struct pseudo_costs *by;	/* NULL: none are kept of its sort */
	int at;
	double distance[2];	/* layers from the mean to what the lower and the upper child allow */
};

struct divisions divisions_new(const struct problem *);
void divisions_free(struct divisions *);
/*
 * Divide a node by where a body ends, if the solution is out of order; else by the number of layers of a stage, else of
 * a piece, which promises most; else by the backward time of a piece, else by its weights' part, whichever the solution
 * combines from the most different values. False when it combines nothing.
 */
bool divide(struct divisions *, const struct problem *, const struct mastered *, const struct node_bounds *node,
    struct node_bounds *low, struct node_bounds *high, struct division *);
/* The bound of one of its children rose by GAIN, ms, at first: later ones do not count. */
void division_learn(struct division *, bool upper, double gain);

#endif
