/*
 * Kind slopes: what a ms of recomputation saves of memory.  As a function of one row's multiplier the bound of a
 * pricing problem is concave, and bends where one kind of recomputation becomes cheaper than another: where the price
 * of a MB is that of the ms lost for it.
 */
#ifndef KIND_SLOPES_H
#define KIND_SLOPES_H

#include "lib/model/network.h"

/*
 * SLOPE[kinds] gets the ratios along the lower convex hull of a layer's kinds, which take MB[kinds], ms per MB; returns
 * how many.
 */
int kind_slopes(const struct body *, const double *mb, double *slope);

#endif
