/*
 * Solver process: run another solver on a model file. The files are in a temporary directory that is removed at exit.
 */
#ifndef SOLVER_PROCESS_H
#define SOLVER_PROCESS_H

#include "mip_model.h"
#include "solution.h"

struct solver;

/*
 * Find the solver COMMAND, the name or path of cbc, glpsol, highs or scip. Exits if the name is another, or if the
 * solver is not found.
 */
struct solver *solver_open(const char *command);
const char *solver_name(const struct solver *);
/* Run the solver; kill it at DEADLINE (s of clock_now()). Exits if it fails. */
struct solution solver_run(struct solver *, struct lp_model *, double deadline);
void solver_close(struct solver *);

#endif
