/*
 * Least memory: the minimum memory of a stage's contents with full recomputation. Usually the last mix of each front
 * gives the minimum. But if kinds differ in memory kept for weight gradients, a mix with less activation may keep more.
 * Then the best mixes depend on the stage's moments and on each other, so branch and bound finds them. Results are
 * cached.
 */
#ifndef LEAST_MEMORY_H
#define LEAST_MEMORY_H

#include "problem.h"

/* Return a cache that threads share, or NULL if kinds do not differ in memory kept for weight gradients. */
struct least_memory *least_memory_new(const struct problem *);
void least_memory_free(struct least_memory *);

/*
 * Return the MB of the stage's peak with full recomputation: the minimum over settings. If kinds differ in memory kept
 * for W, the result may be inexact. It is too low if contents have more than problem.list_limits.mixes, and too high if
 * branch and bound is slow.
 */
double stage_least_memory(const struct problem *, int stage, const int *content);
/* Get the mixes with the least memory in MIX[chunks]. Return the MB of their peak. */
double stage_least_mixes(const struct problem *, int stage, const int *content, int *mix);
/* Return a lower bound on the peak of all settings, MB. It covers settings with mixes dropped from thinned fronts. */
double stage_memory_floor(const struct problem *, int stage, const int *content);
/* Return the same lower bound for the first CHUNKS chunks alone. */
double stage_part_memory(const struct problem *, int stage, const int *content, int chunks);
/*
 * Return the MB by which the least memory exceeds the stage's limit; negative: MB still free. stage_excess_floor() uses
 * the lower bound on memory.
 */
double stage_excess(const struct problem *, int stage, const int *content);
double stage_excess_floor(const struct problem *, int stage, const int *content);

#endif
