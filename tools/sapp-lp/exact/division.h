/*
 * Division: branching. A node is divided into two children that both exclude the convex combination in its master
 * solution; pseudo-costs select among candidates.
 */
#ifndef DIVISION_H
#define DIVISION_H

#include "master.h"
#include "pseudo_costs.h"

struct divisions {		/* pseudo-costs of divisions */
	/* for divisions by layers of a stage, [stages], and of a piece, [pieces] */
	struct pseudo_costs total, layers;
};

struct exact_division {
	struct pseudo_costs *by;	/* pseudo-costs of the variable; NULL for a division by borders or times */
	int at;			/* number of the variable in BY */
	double distance[2];	/* layers from the mean to the range of the lower and the upper child */
};

struct divisions divisions_new(const struct problem *);
void divisions_free(struct divisions *);
/*
 * Divide a node: by a border between bodies if the solution is out of order; else by the layers of the stage, else of
 * the piece, with the best score; else by the backward time, else by its weight gradient part, of the piece with the
 * most different values combined. Return false if no solution exists, or it combines nothing.
 */
bool divide(struct divisions *, const struct problem *, const struct mastered *, const struct node_bounds *node,
    struct node_bounds *low, struct node_bounds *high, struct exact_division *);
/* Record that the bound of a child rose by GAIN, ms, when first bounded; later calls are ignored. */
void division_learn(struct exact_division *, bool upper, double gain);

#endif
