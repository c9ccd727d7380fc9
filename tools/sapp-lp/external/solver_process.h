/*
 * Solver process: another solver's executable, run on a model file for a solution file, both in a temporary directory
 * that is removed when the program exits.
 */
#ifndef SOLVER_PROCESS_H
#define SOLVER_PROCESS_H

#include "mip_model.h"
#include "solution.h"

struct solver;

/* COMMAND: the name or path of cbc, glpsol, highs or scip. Exits when it is none of them or cannot be found. */
struct solver *solver_open(const char *command);
const char *solver_name(const struct solver *);
/* Exits when the solver fails. DEADLINE (s of clock.h): when it is killed at the latest. */
struct solution solver_run(struct solver *, struct lp_model *, double deadline);
void solver_close(struct solver *);

#endif
