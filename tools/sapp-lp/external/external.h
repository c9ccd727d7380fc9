/*
 * Consult: another solver's integer optimum of the path rows known so far is a bound, as good as that
 * solver, and a plan; the critical path of the plan is the next row, until the plan is as short as the bound.
 */
#ifndef EXTERNAL_H
#define EXTERNAL_H

#include "sapp-lp/bound/relaxation.h"
#include "solver_process.h"

struct external;

/* KNOWN: a plan that fits; NULL when none is known. */
struct external *external_new(const struct problem *, struct solver *, const struct relaxed *,
    const struct candidate *known);
/* Asks once, for a part of the time. False when asking again would tell no more. */
bool external_run(struct external *, double deadline);
double external_best(const struct external *, struct candidate *out);	/* step time, ms; INFINITY: none */
double external_bound(const struct external *);
const struct path_cuts *external_paths(const struct external *);
void external_free(struct external *);

#endif
