/* Sampled: if times vary, choose a plan by the p90 of its step, and verify its quantiles. */
#ifndef SAMPLED_H
#define SAMPLED_H

#include "lib/record/record.h"
#include "sapp-lp/heuristic/sampling.h"
#include "planner.h"

/*
 * Replace the answer's plan by the plan with the least p90 found until DEADLINE (s of clock_now()). Return the
 * quantiles of this plan.
 */
struct quantiles sampled_choose(const struct problem *, struct sampling *, struct answer *, double deadline);
/*
 * Store the quantiles of the last chosen plan in its record, for whole steps. Exits if the library's simulator
 * disagrees with FOUND, the quantiles by the planner's evaluator.
 */
void sampled_say(struct plan *, const struct problem *, const struct sampling *, struct quantiles found);

#endif
