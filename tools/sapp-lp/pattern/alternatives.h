/*
 * Alternatives: contents of each piece with their recomputation, combined by pricing (cheapest.h) if patterns of whole
 * stages are too many to list. Not used if the weight gradient part of backwards depends on recomputation
 * (problem.parts).
 */
#ifndef ALTERNATIVES_H
#define ALTERNATIVES_H

#include "node_bounds.h"

/*
 * Mixes of a content, activation descending and backward ascending. If the content's front is thinned, each represents
 * those between two neighbours, with the minimum activation and backward of any.
 */
struct front {
	int n;
	double *activation, *backward;	/* [n], MB and ms */
	const double *slowest;		/* [n], ms of the slowest mix represented */
	int corners, *corner;		/* [corners], ascending: lower convex hull */
};

struct alternative {		/* a possible content of a piece */
	int content;
	double *fixed;		/* [rows of the stage], MB without activations */
};

struct alternatives {
	const struct problem *problem;
	struct front *front;		/* [contents], n 0: unused */
	int *n;				/* [pieces] */
	struct alternative **alternative;	/* [pieces][n] */
};

/* Return whether they apply and are few enough to list. */
bool alternatives_can(const struct problem *);
/* Create the alternatives of plans shorter than HORIZON, ms. */
struct alternatives *alternatives_new(const struct problem *, double horizon);
void alternatives_free(struct alternatives *);

#endif
