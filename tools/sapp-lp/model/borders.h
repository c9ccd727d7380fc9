/*
 * Borders between bodies: where one body ends and the next begins, as positions of pieces in model order. They are the
 * branching variables of exact/division.h. In every plan the pieces before border b hold only layers of the bodies up
 * to b. The pieces after border b hold only layers of later bodies. A node of branch and bound allows a range for each
 * border. A piece may hold a body if some border positions in these ranges allow it.
 */
#ifndef BORDERS_H
#define BORDERS_H

#include "problem.h"

struct range {
	double low, high;	/* both inclusive */
};

/* Return N ranges: a copy of FROM, or unlimited ranges if FROM is NULL. Caller frees. */
struct range *ranges_new(int n, const struct range *from);

/*
 * Return whether the piece at POSITION may hold layers of BODY while each border stays within its range in
 * BORDER[bodies - 1].
 */
bool borders_allow(const struct problem *, const struct range *border, int position, int body);
/*
 * Find a border that LAYERS[pieces][bodies] violate: some layers of a later body precede layers of body *BORDER or of
 * an earlier body. The numbers of layers may be fractional. Set *LAST to the position halfway between these layers: it
 * ends the lower half of a divided range. Return false if all layers are in model order.
 */
bool borders_crossed(const struct problem *, const double *layers, int *border, double *last);

#endif
