/* Recompute greedy: a good setting of a stage that fits, where there are too many settings to list them. */
#ifndef RECOMPUTE_GREEDY_H
#define RECOMPUTE_GREEDY_H

#include "sapp-lp/model/stage_settings.h"

/*
 * MIX[chunks]: each chunk by the same share of its front, the least that fits; where kinds differ in what waits for W,
 * see recompute_held.h. False when even all recomputed does not.
 */
bool recompute_evenly(const struct problem *, int stage, const int *content, int *mix);
/*
 * Beginning with MIX[chunks]: more is recomputed until the stage fits, where the worst row of memory is relieved most
 * for the time lost, then less wherever it still fits, the most valuable first. VALUE[chunks] weighs the chunks'
 * times. False when even everything recomputed does not fit.
 */
bool recompute_from(const struct problem *, int stage, const int *content, const double *value, int *mix);
/* The same of every stage of a plan, from the mixes that it has, all times worth the same. */
bool recompute_plan(const struct problem *, struct candidate *);

#endif
