/* End to end: a plan's step with what the planner leaves out, overhead and transfers that keep stages busy. */
#ifndef END_TO_END_H
#define END_TO_END_H

#include "lib/model/network.h"
#include "lib/record/plan.h"

/*
 * Add to a plan's step time and bound what its step takes outside of the pipeline, and simulate its transfers as they
 * take place. A bound stays one: transfers that keep stages busy only add. STATUS is optimal only while the gap stays
 * within GAP. answer_fault() of that, or NULL.
 */
char *end_to_end_step(struct plan *, const struct network *, const struct pipeline *, double gap);
/* The step of a plan with all that, ms; INFINITY: it can never run. */
double end_to_end_time(const struct plan *, const struct network *, const struct pipeline *);
/* ms outside the pipeline that no plan can do without, whichever stage ends last; MODEL may be NULL. */
double end_to_end_overhead(const struct model *, int stages);
/* Exits when the overhead of the model is not one for so many stages. */
void end_to_end_check(const struct network *, int stages);

#endif
