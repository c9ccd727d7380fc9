/*
 * LP: linear programmes, minimised by lp_solve, which no other file of the planner knows.  Columns and rows are
 * numbered from 1, all columns are at least 0.  Memory that runs out ends the program.
 */
#ifndef LP_H
#define LP_H

#include <stdbool.h>
#include <stdio.h>

struct lp;

enum lp_sense { LP_AT_MOST, LP_AT_LEAST, LP_EQUAL };
enum lp_status {
	LP_OPTIMAL,		/* within the solver's tolerances */
	LP_SUBOPTIMAL,		/* there is a solution, but maybe a better one */
	LP_NO_SOLUTION,		/* infeasible, out of time or failed */
};

struct lp *lp_new(int columns);		/* without rows, every cost 0 */
void lp_free(struct lp *);
/* Solving gives up when *DEADLINE, s of clock.h, has passed; it must outlive the programme. */
void lp_set_deadline(struct lp *, double *deadline);

void lp_set_cost(struct lp *, int column, double cost);
void lp_set_upper(struct lp *, int column, double upper);
void lp_set_whole(struct lp *, int column);		/* an integer, for lp_write_...() */
void lp_set_right(struct lp *, int row, double right);
/* The sum of VALUE[n] * column INDEX[n], in ascending order, is at most, at least or equal to RIGHT. */
void lp_add_row(struct lp *, int n, double *value, int *index, enum lp_sense, double right);
/* A column of cost 0 with VALUE[n] in the rows INDEX[n], in ascending order. */
void lp_add_column(struct lp *, int n, double *value, int *index);
int lp_add_binary(struct lp *);				/* a column that is 0 or 1, in no row yet; its number */
int lp_rows(const struct lp *);
int lp_columns(const struct lp *);

enum lp_status lp_solve(struct lp *);
double lp_value(const struct lp *);			/* of the objective */
const double *lp_solution(const struct lp *);		/* [columns], from 0; NULL: there is none */
/* Multipliers of the rows, then reduced costs: DUAL[1 + rows + columns], numbered from 1. False: there are none. */
bool lp_duals(const struct lp *, double *dual);

/* Names for lp_write_...(). */
void lp_name(struct lp *, const char *name);
void lp_name_column(struct lp *, int column, const char *name);
void lp_name_row(struct lp *, int row, const char *name);
int lp_find_column(const struct lp *, const char *name);	/* less than 1: there is none */
/* False: it cannot be written. */
bool lp_write_lp(struct lp *, FILE *);			/* lp_solve's own format */
bool lp_write_mps(struct lp *, FILE *);			/* free MPS */

#endif
