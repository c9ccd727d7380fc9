/* Solution: what another solver says in its solution file and in its log. */
#ifndef SOLUTION_H
#define SOLUTION_H

#include <stdbool.h>

#include "sapp-lp/bound/lp_model.h"

enum dialect { DIALECT_CBC, DIALECT_GLPSOL, DIALECT_HIGHS, DIALECT_SCIP, DIALECTS };
extern const char *const dialect_names[DIALECTS];	/* of the executables */

enum solved { SOLVED_OPTIMAL, SOLVED_INFEASIBLE, SOLVED_STOPPED };

struct solution {
	enum solved status;	/* stopped: by its time limit, or killed at the deadline */
	bool found;		/* there is a solution in X */
	double *x;		/* [columns + 1], as lp_solve numbers them, from 1 */
	double bound;		/* ms, the solver's lower bound on the optimum; -INFINITY: none */
};

/* How the lines of a dialect's files are told apart. */
struct phrases *phrases_new(enum dialect);
void phrases_free(struct phrases *);

/* Stopped, with nothing found. */
struct solution solution_none(struct lp_model *);
/* TEXT is written into. Values of columns that are not the model's, or that are no numbers, are passed over. */
void solution_read(struct solution *, const struct phrases *, struct lp_model *, char *text);
/* Infeasibility and bounds; the last line that is not blank, to be freed. */
char *solution_read_log(struct solution *, const struct phrases *, char *text);
void solution_free(struct solution *);

#endif
