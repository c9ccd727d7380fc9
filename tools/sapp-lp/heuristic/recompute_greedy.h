/* Fit: good ways to recompute a stage's contents so that they fit, where a settings of all ways would be too long. */
#ifndef RECOMPUTE_GREEDY_H
#define RECOMPUTE_GREEDY_H

#include "sapp-lp/model/stage_settings.h"

/* All chunks by the same share, as small as will do. Fills MIX[chunks]; false when even all of it does not fit. */
bool recompute_evenly(const struct problem *, int stage, const int *content, int *mix);
/*
 * From MIX[chunks] on: recompute more until it fits, then less wherever it still does, a ms of chunk v being worth
 * VALUE[v]. False when even everything recomputed does not fit.
 */
bool recompute_from(const struct problem *, int stage, const int *content, const double *value, int *mix);

#endif
