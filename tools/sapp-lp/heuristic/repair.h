/* Repair: layers moved from piece to piece until a plan fits, or exceeds its limits by little. */
#ifndef REPAIR_H
#define REPAIR_H

#include "sapp-lp/model/problem.h"

/* MB by which the worst stage exceeds its limit, everything recomputed (negative: room left); *STAGE: that one. */
double overload(const struct problem *, const struct candidate *, int *stage);
/*
 * The same of what becomes of the plan, whose layers need not be in the model's order before. Ends when it fits, after
 * very many moves, or at DEADLINE (s of clock.h), though not before some work. INFINITY: lists cannot say its layers in
 * order.
 */
double repair(const struct problem *, double deadline, struct candidate *, int *stage);

#endif
