/*
 * Solver process: another solver's executable, run on a model file for a solution file, both in a temporary directory
 * that is removed when the program exits.
 */
#ifndef SOLVER_PROCESS_H
#define SOLVER_PROCESS_H

#include "mip_model.h"

struct solver;

enum solved { SOLVED_OPTIMAL, SOLVED_INFEASIBLE, SOLVED_STOPPED };

struct solution {
	enum solved status;	/* stopped: by its time limit, or killed at the deadline */
	bool found;		/* there is a solution in X */
	double *x;		/* [columns + 1], as lp_solve numbers them, from 1 */
	double bound;		/* ms, the solver's lower bound on the optimum; -INFINITY: none */
};

/* COMMAND: the name or path of cbc, glpsol, highs or scip. Exits when it is none of them or cannot be found. */
struct solver *solver_open(const char *command);
const char *solver_name(const struct solver *);
/* Exits when the solver fails. DEADLINE (s of clock.h): when it is killed at the latest. */
struct solution solver_run(struct solver *, struct lp_model *, double deadline);
void solution_free(struct solution *);
void solver_close(struct solver *);

#endif
