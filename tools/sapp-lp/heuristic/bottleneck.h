/*
 * Bottlenecks: layouts in which no piece of a chunk takes longer than the chunk's bottleneck, so many ms a micro-batch.
 * Interleaved schedules let the stages go through a chunk side by side, so that its slowest piece makes all of them
 * wait: the step takes about the sum of the bottlenecks times the micro-batches, and a layer moved from one piece to
 * another seldom changes that. So the bottlenecks are searched for, and then a layout that keeps to them and to memory.
 */
#ifndef BOTTLENECK_H
#define BOTTLENECK_H

#include "sapp-lp/model/problem.h"

struct bottleneck;

bool bottleneck_can(const struct problem *);	/* pieces, layers and contents are few enough at all */

/* From PLAN on, which fits. The problem must outlive it. */
struct bottleneck *bottleneck_new(const struct problem *, const struct candidate *plan);
void bottleneck_free(struct bottleneck *);
/*
 * First bottlenecks of some proportions, then simulated annealing, until WORK more steps of dynamic programming
 * or operations simulated (some ns each), or DEADLINE (s of clock.h), or nothing shorter was found for long.
 */
void bottleneck_run(struct bottleneck *, double work, double deadline);
/* Go on from a plan found elsewhere, if it is shorter. */
void bottleneck_take(struct bottleneck *, const struct candidate *);
const struct candidate *bottleneck_best(const struct bottleneck *);	/* valid until it is run again */
/*
 * Plans that differ in their bottlenecks and are hardly longer than the best, the shortest first: PLAN[MOST] points to
 * them, which are valid until it is run again. Returns how many.
 */
int bottleneck_plans(const struct bottleneck *, int most, const struct candidate **plan);

#endif
