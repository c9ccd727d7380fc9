/*
 * Borders: where one body ends and the next begins, as positions of pieces in model order; the branching variables of
 * exact/division.h. In every plan the pieces before border b hold only layers of bodies up to b, those after it only
 * later ones. A node allows a range of each border: a piece may hold what some border in the range allows.
 */
#ifndef BORDERS_H
#define BORDERS_H

#include "problem.h"

struct range {
	double low, high;	/* both inclusive */
};

/* Return N ranges, unlimited or copied from FROM; caller frees. */
struct range *ranges_new(int n, const struct range *from);

/*
 * Return whether the piece at a POSITION may hold layers of a body if each border is within its range in BORDER[bodies
 * - 1].
 */
bool borders_allow(const struct problem *, const struct range *border, int position, int body);
/*
 * Find a border that LAYERS[pieces][bodies], possibly fractional, violate: layers of a later body precede layers of
 * body *BORDER or an earlier body. *LAST, halfway between them, is the end of the lower half of a divided range. Return
 * false if all layers are in model order.
 */
bool borders_crossed(const struct problem *, const double *layers, int *border, double *last);

#endif
