/* Chunks bound: the least step that the work of the stages allows, where each has several chunks. */
#ifndef CHUNKS_BOUND_H
#define CHUNKS_BOUND_H

#include "sapp-lp/model/problem.h"

/*
 * ms, a bound on every plan whatever the memory; 0, which says nothing, where operations may run together. Weaker from
 * DEADLINE (s of clock.h) on.
 */
double chunks_bound(const struct problem *, double deadline);

#endif
