/*
 * Least memory: with how little memory contents of a stage do, recomputed as far as they go.  Mostly that is the last
 * mix of each front.  But where kinds of recomputation differ in what is kept for the weights' gradients, one with less
 * activation may keep more for those, and which mixes need least depends on the stage's moments and on one another:
 * they are looked for by branch and bound, and kept.
 */
#ifndef LEAST_MEMORY_H
#define LEAST_MEMORY_H

#include "problem.h"

/* Those found so far, for threads to share; NULL where kinds do not differ. */
struct least_memory *least_memory_new(const struct problem *);
void least_memory_free(struct least_memory *);

/*
 * MB of the stage's peak with every layer recomputed as far as it goes: the least of all settings. Where contents are
 * of very many bodies, or the search takes too long, it may be less, or more.
 */
double stage_least_memory(const struct problem *, int stage, const int *content);
/* The mixes for that, MIX[chunks]; returns MB of the peak with them. */
double stage_least_mixes(const struct problem *, int stage, const int *content, int *mix);
/* A lower bound on the peak of all settings, MB, also of those that thinned fronts leave out. */
double stage_memory_floor(const struct problem *, int stage, const int *content);
/* The same of what the first CHUNKS alone take. */
double stage_part_memory(const struct problem *, int stage, const int *content, int chunks);
/* MB by which the least memory exceeds the stage's limit; negative: room left. The same of the lower bound. */
double stage_excess(const struct problem *, int stage, const int *content);
double stage_excess_floor(const struct problem *, int stage, const int *content);

#endif
