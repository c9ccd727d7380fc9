/*
 * Borders: where one body (kind of layer) ends and the next begins, as positions of pieces in the model's order, the
 * branching variables of exact/division.h.  Invariant of every plan: before the piece that holds border b there are
 * layers of the bodies up to b only, behind it only of later ones.  Ranges of borders are a relaxation of that: a piece
 * may hold whatever is allowed for some border within its range.
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
 * A border that LAYERS[pieces][bodies], which may be fractions, cross: some of a later body stand before some of body
 * *BORDER or an earlier one. *LAST of the lower half is between the two. False when all are in the model's order.
 */
bool borders_crossed(const struct problem *, const double *layers, int *border, double *last);

#endif
