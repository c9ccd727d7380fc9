/*
 * Bottlenecks: search for layouts in which no piece of a chunk takes longer than the chunk's bottleneck, in ms per
 * micro-batch. In interleaved schedules the stages run a chunk in parallel, and the slowest piece delays all of them.
 * So the step is about the sum of the bottlenecks times the micro-batches, and moving a layer between two pieces seldom
 * changes it. The search therefore varies the bottlenecks, and for each choice finds layouts that respect bottlenecks
 * and memory.
 */
#ifndef BOTTLENECK_H
#define BOTTLENECK_H

#include "sapp-lp/model/problem.h"

struct bottleneck;

bool bottleneck_can(const struct problem *);	/* whether pieces, layers and contents are few enough */

/* Start from PLAN, which must fit. The problem must outlive the search. */
struct bottleneck *bottleneck_new(const struct problem *, const struct candidate *plan);
void bottleneck_free(struct bottleneck *);
/*
 * Try bottlenecks of some fixed proportions, then simulated annealing. WORK: maximum number of additional steps of
 * dynamic programming or simulated operations, some ns each. Ends also at DEADLINE (s of clock_now()), or after many
 * attempts without progress.
 */
void bottleneck_run(struct bottleneck *, double work, double deadline);
/* Continue from a plan found elsewhere, if it is shorter than the best plan. */
void bottleneck_take(struct bottleneck *, const struct candidate *);
const struct candidate *bottleneck_best(const struct bottleneck *);	/* valid until the next run */
/*
 * Get up to MOST plans that have different bottlenecks and steps near the best step, shortest first. The plans are
 * valid until the next run. Return their number.
 */
int bottleneck_plans(const struct bottleneck *, int most, const struct candidate **plan);

#endif
