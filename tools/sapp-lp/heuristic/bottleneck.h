/*
 * Bottlenecks: layouts in which no piece of a chunk exceeds the chunk's bottleneck, in ms per micro-batch. In
 * interleaved schedules stages run a chunk in parallel, so that its slowest piece delays all of them: the step is about
 * the sum of the bottlenecks times the micro-batches, and moving a layer between two pieces seldom changes it. So
 * search over bottlenecks, and for each over layouts that respect them and memory.
 */
#ifndef BOTTLENECK_H
#define BOTTLENECK_H

#include "sapp-lp/model/problem.h"

struct bottleneck;

bool bottleneck_can(const struct problem *);	/* pieces, layers and contents are few enough */

/* Start from PLAN, which fits. The problem must outlive it. */
struct bottleneck *bottleneck_new(const struct problem *, const struct candidate *plan);
void bottleneck_free(struct bottleneck *);
/*
 * Try bottlenecks of some proportions, then simulated annealing, for WORK more steps of dynamic programming or
 * simulated operations (some ns each), until DEADLINE (s of clock.h), or without progress for long.
 */
void bottleneck_run(struct bottleneck *, double work, double deadline);
/* Continue from a plan found elsewhere, if it is shorter. */
void bottleneck_take(struct bottleneck *, const struct candidate *);
const struct candidate *bottleneck_best(const struct bottleneck *);	/* valid until the next run */
/*
 * Get up to MOST plans with different bottlenecks and nearly the best step, shortest first, valid until the next run;
 * return their number.
 */
int bottleneck_plans(const struct bottleneck *, int most, const struct candidate **plan);

#endif
