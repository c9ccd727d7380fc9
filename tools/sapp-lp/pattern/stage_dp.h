/*
 * Stage DP: a lower bound on the step of plans made of patterns with one chunk per stage, by dynamic programming over
 * the stages. The state is the number of layers placed, so the layers' model order is respected exactly.
 */
#ifndef STAGE_DP_H
#define STAGE_DP_H

#include "patterns.h"

/*
 * Return a lower bound on the step of every plan of the patterns, ms. It is the least length of WEIGHT, a mean of
 * paths, over all choices of patterns and settings. It is a bound because no step is shorter than a path. Return
 * INFINITY if no plan exists, -INFINITY after the deadline. OUT (may be NULL) receives the choice. If the bound is
 * above ABOVE and below HORIZON, call stage_dp_trim().
 */
double stage_dp_price(struct patterns *, const struct visits *weight, double above, double horizon,
    struct candidate *out);

/*
 * Reduced-cost fixing: drop the patterns with which the length of WEIGHT is at least HORIZON (ms), whatever the other
 * stages choose. Stops at the patterns' deadline. Return the number dropped.
 */
long stage_dp_trim(struct patterns *, const struct visits *weight, double horizon);

#endif
