/*
 * External: planning by another mixed-integer solver.  Its optimum over the rows of paths known so far is a lower
 * bound, as exact as that solver is, and a plan; the plan's critical path is the next row, until the plan is as short
 * as the bound.
 */
#ifndef EXTERNAL_H
#define EXTERNAL_H

#include "sapp-lp/bound/relaxation.h"
#include "solver_process.h"

struct external;

/* With the paths of the relaxation. KNOWN: a plan that fits; NULL: none is known. */
struct external *external_new(const struct problem *, struct solver *, const struct relaxed *,
    const struct candidate *known);
/* One run of the solver, for a part of the time. False when another would tell no more. */
bool external_run(struct external *, double deadline);
double external_best(const struct external *, struct candidate *out);	/* step time, ms; INFINITY: none */
double external_bound(const struct external *);		/* ms */
const struct path_cuts *external_paths(const struct external *);
void external_free(struct external *);

#endif
