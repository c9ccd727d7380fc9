/*
 * External: planning with another mixed-integer solver. Its optimum over the rows of known paths is a plan and a lower
 * bound, as exact as the solver; the plan's critical path becomes the next row, until the plan is as short as the
 * bound.
 */
#ifndef EXTERNAL_H
#define EXTERNAL_H

#include "sapp-lp/bound/relaxation.h"
#include "solver_process.h"

struct external;

/* Create an external solve with the relaxation's paths. KNOWN: a plan that fits, or NULL. */
struct external *external_new(const struct problem *, struct solver *, const struct relaxed *,
    const struct candidate *known);
/* Run the solver once, for a part of the time; false if another run would not help. */
bool external_run(struct external *, double deadline);
double external_best(const struct external *, struct candidate *out);	/* step time, ms; INFINITY: none */
double external_bound(const struct external *);		/* ms */
const struct path_cuts *external_paths(const struct external *);
void external_free(struct external *);

#endif
