/* Sampled: a plan chosen by the p90 of its steps where times vary, with its quantiles checked and said. */
#ifndef SAMPLED_H
#define SAMPLED_H

#include "lib/record/record.h"
#include "sapp-lp/heuristic/sampling.h"
#include "planner.h"

/*
 * Instead of the answer's plan the one with the least p90 that is found until DEADLINE (s of clock.h); its quantiles.
 */
struct quantiles sampled_choose(const struct problem *, struct sampling *, struct answer *, double deadline);
/*
 * Put the quantiles of the plan, chosen last, into its record: of whole steps. Exits, loudly, where the library's
 * simulator does not agree with FOUND, those of the planner's evaluator.
 */
void sampled_say(struct plan *, const struct problem *, const struct sampling *, struct quantiles found);

#endif
