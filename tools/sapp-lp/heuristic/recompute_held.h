/*
 * Recompute held: the same as recompute_greedy.h where kinds of recomputation differ in what waits for W.  A front is
 * no line there, and what relieves one row of memory may fill another.
 */
#ifndef RECOMPUTE_HELD_H
#define RECOMPUTE_HELD_H

#include "sapp-lp/model/stage_settings.h"

/* As recompute_from(). False when even what takes least memory does not fit. */
bool recompute_held(const struct problem *, int stage, const int *content, const double *value, int *mix);
/* From what takes least memory, all times worth the same. */
bool recompute_held_least(const struct problem *, int stage, const int *content, int *mix);
/*
 * The chunk that gains most, times of backwards weighed by VALUE, where MIX[chunks] of its front is changed to
 * TO[chunks]; -1: none gains.
 */
int gains_most(int chunks, const struct pareto_front *const *front, const double *value, const int *mix, const int *to);

#endif
