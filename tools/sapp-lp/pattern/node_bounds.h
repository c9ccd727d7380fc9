/*
 * Node bounds: the ranges that a node of branch and bound allows. The ranges of the children together cover their
 * parent's ranges, so every plan of a node is in at least one child.
 */
#ifndef NODE_BOUNDS_H
#define NODE_BOUNDS_H

#include <stdbool.h>

#include "sapp-lp/model/borders.h"
#include "patterns.h"

struct node_bounds {
	struct range *total;	/* [stages], number of layers in all chunks */
	struct range *layers;	/* [pieces], number of layers */
	struct range *backward;	/* [pieces], ms, backward time of the BODY layers */
	struct range *gradient;	/* [pieces], ms, mix.gradient */
	struct range *border;	/* [bodies - 1], position in model order of the last piece with body b */
};

/* Create a copy of FROM; with NULL, create bounds that limit nothing. */
struct node_bounds node_bounds_new(const struct problem *, const struct node_bounds *from);
void node_bounds_free(struct node_bounds *);

/*
 * Return whether the bounds allow a piece's number of layers, and by the borders the bodies of these layers.
 * node_allows_contents() checks CONTENT[chunks] of a stage.
 */
bool node_allows_content(const struct problem *, const struct node_bounds *, int piece, int content);
bool node_allows_contents(const struct problem *, const struct node_bounds *, int stage, const int *content);
bool node_allows_times(const struct problem *, const struct node_bounds *, int chunk, int stage, double backward,
    double gradient);
/* Return whether the bounds allow a setting with BACKWARD[chunks] and GRADIENT[chunks], ms, in the stage's pieces. */
bool node_allows_setting(const struct problem *, const struct node_bounds *, int stage, const double *backward,
    const double *gradient);

#endif
