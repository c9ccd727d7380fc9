/*
 * Stage DP: a lower bound on the step time of the plans made of patterns with one chunk a stage, by dynamic programming
 * over the stages.  A state is how many layers are taken, in the model's order, which is so kept exactly.
 */
#ifndef STAGE_DP_H
#define STAGE_DP_H

#include "patterns.h"

/*
 * A lower bound on the step time of every plan of the patterns, ms: the step is at least as long as every path, and
 * so as WEIGHT, a mean of paths; this is the least that WEIGHT comes to for any choice of patterns and settings.
 * INFINITY: there is no plan; -INFINITY: the deadline has passed. OUT (may be NULL) is the choice. Where the bound is
 * over ABOVE and below HORIZON the patterns are trimmed.
 */
double stage_dp_price(struct patterns *, const struct visits *weight, double above, double horizon,
    struct candidate *out);

/*
 * Drop the patterns with which WEIGHT comes to at least HORIZON (ms) whatever the other stages choose, as far as the
 * deadline allows; returns how many.
 */
long stage_dp_trim(struct patterns *, const struct visits *weight, double horizon);

#endif
