/*
 * Least memory: the minimum memory of a stage's contents with full recomputation. Usually that is the last mix of each
 * front. But if kinds differ in memory kept for weight gradients, one with less activation may keep more, and the best
 * mixes depend on the stage's moments and on each other: they are found by branch and bound, and cached.
 */
#ifndef LEAST_MEMORY_H
#define LEAST_MEMORY_H

#include "problem.h"

/* A cache, shared by threads; NULL if kinds do not differ. */
struct least_memory *least_memory_new(const struct problem *);
void least_memory_free(struct least_memory *);

/*
 * Return the MB of the stage's peak with full recomputation: the minimum over settings. If kinds differ in memory kept
 * for W, it may be inexact: too low if contents have more than problem.list_limits.mixes, too high if branch and bound
 * is slow.
 */
double stage_least_memory(const struct problem *, int stage, const int *content);
/* Get the mixes of least memory in MIX[chunks]; return the MB of the peak. */
double stage_least_mixes(const struct problem *, int stage, const int *content, int *mix);
/* Return a lower bound on the peak of all settings, MB, including settings with mixes dropped from thinned fronts. */
double stage_memory_floor(const struct problem *, int stage, const int *content);
/* Do the same for the first CHUNKS alone. */
double stage_part_memory(const struct problem *, int stage, const int *content, int chunks);
/* Return the MB by which the least memory, or its lower bound, exceeds the stage's limit; negative: free. */
double stage_excess(const struct problem *, int stage, const int *content);
double stage_excess_floor(const struct problem *, int stage, const int *content);

#endif
