/*
 * Alternatives: the possible contents of each piece, with their recomputation. Pricing (cheapest.h) combines them to
 * patterns of whole stages if these patterns are too many to list. Not used if recomputation changes the weight
 * gradient part of backwards (problem.parts).
 */
#ifndef ALTERNATIVES_H
#define ALTERNATIVES_H

#include "node_bounds.h"

/*
 * Mixes of a content, activation descending and backward ascending. If the content's front is thinned, each mix
 * represents all mixes between two neighbours. Its activation and backward are then their minima.
 */
struct front {
	int n;
	double *activation, *backward;	/* [n], MB and ms */
	const double *slowest;		/* [n], ms of the slowest mix represented */
	int corners, *corner;		/* [corners], indices of mixes on the lower convex hull, ascending */
};

struct alternative {		/* a possible content of a piece */
	int content;
	/* [rows], MB that the content adds to each memory row of its stage, without activations */
	double *fixed;
};

struct alternatives {
	const struct problem *problem;
	struct front *front;		/* [contents], front of each content; n 0: the content is unused */
	int *n;				/* [pieces] */
	struct alternative **alternative;	/* [pieces][n] */
};

/* Return whether the alternatives are applicable, and few enough to list. */
bool alternatives_can(const struct problem *);
/* Create the alternatives that plans shorter than HORIZON, ms, can have. */
struct alternatives *alternatives_new(const struct problem *, double horizon);
void alternatives_free(struct alternatives *);

#endif
