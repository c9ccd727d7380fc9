/* Solution: parse the solution file and the log of another solver. */
#ifndef SOLUTION_H
#define SOLUTION_H

#include <stdbool.h>

#include "sapp-lp/bound/lp_model.h"

enum dialect { DIALECT_CBC, DIALECT_GLPSOL, DIALECT_HIGHS, DIALECT_SCIP, DIALECTS };
extern const char *const dialect_names[DIALECTS];	/* names of the solvers' executables */

enum solved { SOLVED_OPTIMAL, SOLVED_INFEASIBLE, SOLVED_STOPPED };

struct solution {
	enum solved status;	/* stopped: by the solver's time limit, or killed at the deadline */
	bool found;		/* whether x has a solution */
	double *x;		/* [columns + 1], numbered as in lp_solve, from 1 */
	double bound;		/* ms, the solver's lower bound; -INFINITY: none */
};

/* Patterns of the lines in a solver's files. */
struct phrases *phrases_new(enum dialect);
void phrases_free(struct phrases *);

/* Return a solution with status stopped and without values. */
struct solution solution_none(struct lp_model *);
/* Parse TEXT, a solution file, and modify it. Ignores unknown columns and invalid numbers. */
void solution_read(struct solution *, const struct phrases *, struct lp_model *, char *text);
/* Parse infeasibility and bounds in TEXT, a log. Return the last line that is not blank; caller frees. */
char *solution_read_log(struct solution *, const struct phrases *, char *text);
void solution_free(struct solution *);

#endif
