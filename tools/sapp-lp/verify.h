/*
 * Verify: a plan checked before it is printed, from its record alone, by the library's simulator, which shares with
 * the planner's evaluator only where in the order transfers are posted.
 */
#ifndef VERIFY_H
#define VERIFY_H

#include "lib/record/plan.h"
#include "sapp-lp/model/problem.h"

/*
 * Whether the plan keeps what it promises: every layer placed, in the model's order, no piece empty that may not be;
 * lists that say the same as the counts; the step time as simulated, with peaks within LIMIT, the question's (MB; where
 * no plan fits, raised by the plan's excess); a lower bound not above the step time. NULL, or what is wrong, to be
 * freed.
 */
char *verify_plan(const struct problem *, const struct plan *, struct list limit);

#endif
