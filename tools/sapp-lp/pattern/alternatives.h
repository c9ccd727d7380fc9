/*
 * Alternatives: what each piece can hold and how it can be recomputed, where the patterns of whole stages are too many
 * to list and pricing combines them: cheapest.h.  Not for backwards whose weights' part depends on the recomputation
 * (problem.parts).
 */
#ifndef ALTERNATIVES_H
#define ALTERNATIVES_H

#include "node_bounds.h"

/*
 * The mixes of a content, activation descending and backward ascending. Where the content's front is thinned, each
 * stands for those between two neighbours there, with the least activation and backward of any of them.
 */
struct front {
	int n;
	double *activation, *backward;	/* [n], MB and ms */
	const double *slowest;		/* [n], ms of the slowest mix that it stands for */
	int corners, *corner;		/* [corners], ascending: the lower convex hull */
};

struct alternative {		/* a content that a piece can hold */
	int content;
	double *fixed;		/* [rows of the stage], MB without activations */
};

struct alternatives {
	const struct problem *problem;
	struct front *front;		/* [contents], n 0: of no piece */
	int *n;				/* [pieces] */
	struct alternative **alternative;	/* [pieces][n] */
};

/* Whether they apply to the problem, and are few enough to be listed. */
bool alternatives_can(const struct problem *);
/* Those of plans shorter than HORIZON, ms. */
struct alternatives *alternatives_new(const struct problem *, double horizon);
void alternatives_free(struct alternatives *);

#endif
