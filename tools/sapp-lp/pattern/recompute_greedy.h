/* Recompute greedy: a good setting of a stage that fits, if settings are too many to list. */
#ifndef RECOMPUTE_GREEDY_H
#define RECOMPUTE_GREEDY_H

#include "sapp-lp/model/stage_settings.h"

/*
 * Get MIX[chunks]: each chunk at the same fraction of its front, the least recomputation that fits; if kinds differ in
 * memory kept for W, use recompute_from() from the least memory. Return false if even the least memory does not fit.
 */
bool recompute_evenly(const struct problem *, int stage, const int *content, int *mix);
/*
 * Start with MIX[chunks], and recompute more until the stage fits. Each step gives the most relief of all memory rows
 * per lost time (relief of one row may fill another row). Then recompute less wherever the stage still fits, the most
 * valuable chunk first. VALUE[chunks]: weight of the chunks' times. Return false if even the least memory does not fit.
 */
bool recompute_from(const struct problem *, int stage, const int *content, const double *value, int *mix);
/* Do this for every stage of a plan, from its mixes, with equal weights. */
bool recompute_plan(const struct problem *, struct candidate *);

#endif
