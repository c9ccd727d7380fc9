/*
 * Stage DP: a lower bound on the step time of the plans made of patterns, by dynamic programming over the stages.
 */
#ifndef STAGE_DP_H
#define STAGE_DP_H

#include "patterns.h"

/* The number of states at each stage, see dp_arc.h. */
double stage_dp_states(const struct problem *);

/*
 * A lower bound on the step time of every plan of the patterns, ms: the step is at least as long as every path, and
 * so as WEIGHT, a mean of paths; this is the least that WEIGHT comes to for any choice of patterns and settings.
 * INFINITY: there is no plan; -INFINITY: the deadline has passed. OUT (may be NULL) is the choice, its layers not
 * always in order. Where the bound is over ABOVE and below HORIZON the patterns are trimmed.
 */
double stage_dp_price(struct patterns *, const struct visits *weight, double above, double horizon,
    struct candidate *out);

/*
 * The same sum as a bound that may be printed: what rounding can have added to it, and to weights that are a mean of
 * PATHS paths, is taken off.
 */
double stage_dp_proved(const struct problem *, double sum, int paths);

/*
 * Drop the patterns with which WEIGHT comes to at least HORIZON (ms) whatever the other stages choose, as far as the
 * deadline allows; returns how many.
 */
long stage_dp_trim(struct patterns *, const struct visits *weight, double horizon);

#endif
