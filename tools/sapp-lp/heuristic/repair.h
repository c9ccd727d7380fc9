/* Repair: local search that moves layers from piece to piece until a plan fits, or exceeds its limits by little. */
#ifndef REPAIR_H
#define REPAIR_H

#include "sapp-lp/model/problem.h"

/*
 * MB by which the worst stage exceeds its limit with everything recomputed (negative: room left); *STAGE is that
 * stage.
 */
double overload(const struct problem *, const struct candidate *, int *stage);
/*
 * Change a plan to exceed the limits by less, or none of them; returns what overload() says of the result. Its layers
 * are put into the model's order first. Ends when it fits, after 400,000 moves, or at DEADLINE (s of clock.h), but
 * not before a fixed amount of work, so that small problems have the same result on any machine. INFINITY: the plan
 * cannot be put in order with mixes that the lists of the training YAML can express.
 */
double repair(const struct problem *, double deadline, struct candidate *, int *stage);

#endif
