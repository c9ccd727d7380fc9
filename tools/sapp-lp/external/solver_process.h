/*
 * Solver: another solver's executable, given a model in a file and asked for its solution file, both in a
 * directory of its own that is removed in the end, whatever happens.
 */
#ifndef SOLVER_PROCESS_H
#define SOLVER_PROCESS_H

#include "mip_model.h"

struct solver;

enum solved { SOLVED_OPTIMAL, SOLVED_INFEASIBLE, SOLVED_STOPPED };

struct solution {
	enum solved status;	/* stopped: by the time limit or by us */
	bool found;		/* there is a solution in X */
	double *x;		/* [columns + 1], as lp_solve numbers them, from 1 */
	double bound;		/* that the solver puts on the optimum; -INFINITY: none */
};

/* COMMAND: the name or path of cbc, glpsol, highs or scip. Exits when it is another or cannot be found. */
struct solver *solver_open(const char *command);
const char *solver_name(const struct solver *);
/* Exits when the solver fails. DEADLINE: seconds of clock.h, when it is ended at the latest. */
struct solution solver_run(struct solver *, struct lp_model *, double deadline);
void solution_free(struct solution *);
void solver_close(struct solver *);

#endif
