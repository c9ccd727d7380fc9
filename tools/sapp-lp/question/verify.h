/*
 * Verify: check a plan before it is printed, from its record alone. The library's simulator is used, which shares only
 * the posting of transfers with the planner's evaluator.
 */
#ifndef VERIFY_H
#define VERIFY_H

#include "lib/record/plan.h"
#include "sapp-lp/model/problem.h"

/*
 * Return a description of the first error (caller frees), or NULL. Checks that every layer is placed in model order,
 * and that no piece is empty that must not be. Checks that lists equal the counts, and that the step time and peaks are
 * those of the simulation. Peaks must be within LIMIT, the question's (MB), raised by the plan's excess if no plan
 * fits. The lower bound must not be above the step.
 */
char *verify_plan(const struct problem *, const struct plan *, struct list limit);

#endif
