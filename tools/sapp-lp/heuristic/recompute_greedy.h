/* Recompute greedy: a good setting of a stage that fits, where there are too many settings to list them. */
#ifndef RECOMPUTE_GREEDY_H
#define RECOMPUTE_GREEDY_H

#include "sapp-lp/model/stage_settings.h"

/*
 * MIX[chunks]: each chunk by the same share of its front, the least that fits; where kinds differ in what waits for W,
 * as recompute_from() from what takes least memory. False when even that does not fit.
 */
bool recompute_evenly(const struct problem *, int stage, const int *content, int *mix);
/*
 * Beginning with MIX[chunks]: more is recomputed until the stage fits, where all rows of memory together are relieved
 * most for the time lost (what relieves one may fill another), then less wherever it still fits, the most valuable
 * first. VALUE[chunks] weighs the chunks' times. False when even what takes least memory does not fit.
 */
bool recompute_from(const struct problem *, int stage, const int *content, const double *value, int *mix);
/* The same of every stage of a plan, from the mixes that it has, all times worth the same. */
bool recompute_plan(const struct problem *, struct candidate *);

#endif
