/* Sampled: choose a plan by the p90 of its step if times vary, and verify its quantiles. */
#ifndef SAMPLED_H
#define SAMPLED_H

#include "lib/record/record.h"
#include "sapp-lp/heuristic/sampling.h"
#include "planner.h"

/* Replace the answer's plan by the one with the least p90 found until DEADLINE (s of clock.h); return its quantiles. */
struct quantiles sampled_choose(const struct problem *, struct sampling *, struct answer *, double deadline);
/*
 * Put the quantiles of the last chosen plan, for whole steps, into its record. Exits if the library's simulator
 * disagrees with FOUND, from the planner's evaluator.
 */
void sampled_say(struct plan *, const struct problem *, const struct sampling *, struct quantiles found);

#endif
