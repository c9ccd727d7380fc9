/*
 * Consult: another solver's integer optimum of the path rows known so far is a bound, as good as that
 * solver, and a plan; the critical path of the plan is the next row, until the plan is as short as the bound.
 */
#ifndef CONSULT_H
#define CONSULT_H

#include "sapp-lp/bound/relaxation.h"
#include "solver_process.h"

struct consult;

/* KNOWN: a plan that fits; NULL when none is known. */
struct consult *consult_new(const struct problem *, struct solver *, const struct relaxed *,
    const struct candidate *known);
/* Asks once, for a part of the time. False when asking again would tell no more. */
bool consult_run(struct consult *, double deadline);
double consult_best(const struct consult *, struct candidate *out);	/* step time, ms; INFINITY: none */
double consult_bound(const struct consult *);
const struct paths *consult_paths(const struct consult *);
void consult_free(struct consult *);

#endif
