/* Greedy recomputation: find a good setting of a stage that fits, if settings are too many to list. */
#ifndef RECOMPUTE_GREEDY_H
#define RECOMPUTE_GREEDY_H

#include "sapp-lp/model/stage_settings.h"

/*
 * Get MIX[chunks] with the least recomputation that fits, each chunk at the same fraction of its front. If kinds differ
 * in memory kept for W, use recompute_from() from the least memory instead. Return false if even the least memory does
 * not fit.
 */
bool recompute_evenly(const struct problem *, int stage, const int *content, int *mix);
/*
 * Change MIX[chunks] so that the stage fits. First recompute more until the stage fits. Each step gives the most relief
 * per ms lost, summed over the rows of memory; relief of one row may fill another. Then recompute less wherever the
 * stage still fits, most valuable chunk first. VALUE[chunks]: weight of the chunks' times. Return false if even the
 * least memory does not fit.
 */
bool recompute_from(const struct problem *, int stage, const int *content, const double *value, int *mix);
/* Call recompute_from() for every stage of a plan, from its mixes, with equal weights. */
bool recompute_plan(const struct problem *, struct candidate *);

#endif
