/*
 * Verify: check a plan before printing, from its record alone, with the library's simulator, which shares only the
 * posting of transfers with the planner's evaluator.
 */
#ifndef VERIFY_H
#define VERIFY_H

#include "lib/record/plan.h"
#include "sapp-lp/model/problem.h"

/*
 * Return what is wrong (caller frees), or NULL. Checks: every layer is placed in model order, no piece is empty that
 * must not be; lists equal the counts; the step time is the simulated one, with peaks within LIMIT, the question's (MB;
 * if no plan fits, raised by the plan's excess); the lower bound is not above the step.
 */
char *verify_plan(const struct problem *, const struct plan *, struct list limit);

#endif
