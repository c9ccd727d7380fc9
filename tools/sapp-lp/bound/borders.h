/*
 * Borders: where one body (kind of layer) ends and the next begins, as positions of pieces in the model's order, the
 * branching variables of exact/division.h.  In every plan the pieces before that of border b hold layers of the bodies
 * up to b only, those behind it of later ones only.  A node allows a range of each border: a piece may hold what some
 * border in the range allows.
 */
#ifndef BORDERS_H
#define BORDERS_H

#include "sapp-lp/model/problem.h"

struct range {
	double low, high;	/* both allowed */
};

/* N ranges that allow everything, or those of FROM; to be freed. */
struct range *ranges_new(int n, const struct range *from);

/* May the piece at a POSITION hold layers of a body, where each border lies within its range of BORDER[bodies - 1]? */
bool borders_allow(const struct problem *, const struct range *border, int position, int body);
/*
 * A border that LAYERS[pieces][bodies], which may be fractions, violate: some of a later body stand before some of body
 * *BORDER or an earlier one. *LAST, halfway between these, is where the lower half of a divided range ends. False when
 * all are in the model's order.
 */
bool borders_crossed(const struct problem *, const double *layers, int *border, double *last);

#endif
