/* Whole: a plan's step with what the planner leaves out, overhead and transfers that keep stages busy. */
#ifndef WHOLE_H
#define WHOLE_H

#include "lib/model/network.h"
#include "lib/record/plan.h"

/*
 * Add to a plan's step time and bound what its step takes outside of the pipeline, and simulate its transfers as they
 * take place. A bound stays one: transfers that keep stages busy only add. STATUS is optimal only while the gap stays
 * within GAP.
 */
void whole_step(struct plan *, const struct network *, const struct pipeline *, double gap);
/* The step of a plan with all that, ms; INFINITY: it can never run. */
double whole_time(const struct plan *, const struct network *, const struct pipeline *);
/* ms outside the pipeline that no plan can do without, whichever stage ends last; MODEL may be NULL. */
double whole_overhead(const struct model *, int stages);
/* Exits when the overhead of the model is not one for so many stages. */
void whole_check(const struct network *, int stages);

#endif
