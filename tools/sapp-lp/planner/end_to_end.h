/*
 * End to end: a plan's whole step, with the parts that the planner ignores: overhead, and transfers that keep stages
 * busy.
 */
#ifndef END_TO_END_H
#define END_TO_END_H

#include "lib/model/network.h"
#include "lib/record/plan.h"

/*
 * Add the time outside the pipeline to a plan's step and bound, and simulate its real transfers. The bound remains
 * valid, because transfers that keep stages busy only lengthen the step. The status stays optimal only if the step is
 * within GAP of the bound. Return answer_fault() of the result, or NULL.
 */
char *end_to_end_step(struct plan *, const struct network *, const struct pipeline *, double gap);
/* Return the whole step of a plan, ms, or INFINITY if the plan can never run. */
double end_to_end_time(const struct plan *, const struct network *, const struct pipeline *);
/* Return the minimum time outside the pipeline for any plan, ms, whichever stage ends last. MODEL may be NULL. */
double end_to_end_overhead(const struct model *, int stages);
/* Exit unless the lists of the model's overhead have the right number of stages. */
void end_to_end_check(const struct network *, int stages);

#endif
