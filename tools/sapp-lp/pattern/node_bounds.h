/*
 * Node bounds: the ranges allowed by a node of branch and bound. The children's ranges cover their parent's: every plan
 * of a node is in at least one child.
 */
#ifndef NODE_BOUNDS_H
#define NODE_BOUNDS_H

#include <stdbool.h>

#include "sapp-lp/model/borders.h"
#include "patterns.h"

struct node_bounds {
	struct range *total;	/* [stages], layers of all chunks */
	struct range *layers;	/* [pieces] */
	struct range *backward;	/* [pieces], ms, backward time of the body layers */
	struct range *gradient;	/* [pieces], ms, mix.gradient */
	struct range *border;	/* [bodies - 1], position in the model of the last piece with body b */
};

/* Copy FROM; with NULL nothing is limited. */
struct node_bounds node_bounds_new(const struct problem *, const struct node_bounds *from);
void node_bounds_free(struct node_bounds *);

/* Check a piece's number of layers, and their kinds by the borders. */
bool node_allows_content(const struct problem *, const struct node_bounds *, int piece, int content);
bool node_allows_contents(const struct problem *, const struct node_bounds *, int stage, const int *content);
bool node_allows_times(const struct problem *, const struct node_bounds *, int chunk, int stage, double backward,
    double gradient);
/* BACKWARD[chunks] and GRADIENT[chunks]: ms in the stage's pieces. */
bool node_allows_setting(const struct problem *, const struct node_bounds *, int stage, const double *backward,
    const double *gradient);

#endif
