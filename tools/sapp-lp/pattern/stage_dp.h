/*
 * Stage DP: a lower bound on the step time of the plans made of patterns with one chunk a stage, by dynamic programming
 * over the stages.  A state is how many layers are taken, in the model's order, which is so kept exactly.
 */
#ifndef STAGE_DP_H
#define STAGE_DP_H

#include "patterns.h"

/*
 * A lower bound on the step time of every plan of the patterns, ms: the least length of WEIGHT, a mean of paths, over
 * all choices of patterns and settings; no step is shorter than a path. INFINITY: there is no plan; -INFINITY: the
 * deadline has passed. OUT (may be NULL) is the choice. Where the bound is over ABOVE and below HORIZON, the patterns
 * are trimmed as below.
 */
double stage_dp_price(struct patterns *, const struct visits *weight, double above, double horizon,
    struct candidate *out);

/*
 * Reduced-cost fixing: drop the patterns with which WEIGHT has a length of HORIZON (ms) or more whatever the other
 * stages choose, as far as the deadline allows; returns how many.
 */
long stage_dp_trim(struct patterns *, const struct visits *weight, double horizon);

#endif
