/*
 * External: planning with another mixed-integer solver. The solver minimises over the rows of known paths. Its optimum
 * is a plan and a lower bound, as exact as the solver. The plan's critical path becomes the next row, until the plan is
 * as short as the bound.
 */
#ifndef EXTERNAL_H
#define EXTERNAL_H

#include "sapp-lp/bound/relaxation.h"
#include "solver_process.h"

struct external;

/* Prepare an external solve that starts with the relaxation's paths. KNOWN: a plan that fits, or NULL. */
struct external *external_new(const struct problem *, struct solver *, const struct relaxed *,
    const struct candidate *known);
/* Run the solver once, for a part of the remaining time. Return false if another run would not help. */
bool external_run(struct external *, double deadline);
/* return the best step, ms; INFINITY: no plan */
double external_best(const struct external *, struct candidate *out);
double external_bound(const struct external *);		/* ms */
const struct path_cuts *external_paths(const struct external *);
void external_free(struct external *);

#endif
