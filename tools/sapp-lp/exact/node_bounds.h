/* Box: what a branch of the tree allows each stage and each piece. */
#ifndef BOX_H
#define BOX_H

#include <stdbool.h>

#include "patterns.h"

struct range {
	double low, high;	/* both allowed */
};

struct box {
	struct range *total;	/* [stages], layers of all chunks */
	struct range *layers;	/* [pieces] */
	struct range *backward;	/* [pieces], ms, of the body layers */
	struct range *border;	/* [bodies - 1], position in the model of the piece where body b ends */
};

struct box box_new(const struct problem *);	/* allows everything */
struct box box_copy(const struct problem *, const struct box *);
void box_free(struct box *);

bool box_has_contents(const struct problem *, const struct box *, int stage, const int *content);
bool box_has_backward(const struct problem *, const struct box *, int chunk, int stage, double backward);
/* BACKWARD[chunks] of the stage's pieces. */
bool box_has_setting(const struct problem *, const struct box *, int stage, const double *backward);

#endif
