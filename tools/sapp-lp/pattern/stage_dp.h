/*
 * Stage DP: a lower bound on the step of plans made of patterns with one chunk per stage, by dynamic programming over
 * the stages. The state is the number of layers placed, in model order, which is thus exact.
 */
#ifndef STAGE_DP_H
#define STAGE_DP_H

#include "patterns.h"

/*
 * Return a lower bound on the step of every plan of the patterns, ms: the least length of WEIGHT, a mean of paths, over
 * all choices of patterns and settings; no step is shorter than a path. Return INFINITY if no plan exists, -INFINITY
 * after the deadline. OUT (may be NULL): the choice. If the bound is above ABOVE and below HORIZON, trim the patterns
 * as below.
 */
double stage_dp_price(struct patterns *, const struct visits *weight, double above, double horizon,
    struct candidate *out);

/*
 * Reduced-cost fixing: drop patterns with which WEIGHT has a length of HORIZON (ms) or more for any choice of the other
 * stages, as the deadline allows; return their number.
 */
long stage_dp_trim(struct patterns *, const struct visits *weight, double horizon);

#endif
