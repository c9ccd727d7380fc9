/*
 * LP: linear programmes, minimised by lp_solve, which only this file uses. Columns and rows are numbered from 1,
 * columns are nonnegative. Exits if memory runs out.
 */
#ifndef LP_H
#define LP_H

#include <stdbool.h>
#include <stdio.h>

struct lp;

enum lp_sense { LP_AT_MOST, LP_AT_LEAST, LP_EQUAL };
enum lp_status {
	LP_OPTIMAL,		/* within the solver's tolerances */
	LP_SUBOPTIMAL,		/* a solution, possibly not the best */
	LP_NO_SOLUTION,		/* infeasible, out of time or failed */
};

struct lp *lp_new(int columns);		/* no rows, all costs 0 */
void lp_free(struct lp *);
/* Solving stops at *DEADLINE, s of clock.h, which must outlive the programme. */
void lp_set_deadline(struct lp *, double *deadline);

void lp_set_cost(struct lp *, int column, double cost);
void lp_set_upper(struct lp *, int column, double upper);
void lp_set_unbounded(struct lp *, int column);	/* may be negative */
void lp_set_whole(struct lp *, int column);		/* integer, for lp_write_...() */
void lp_set_right(struct lp *, int row, double right);
/*
 * Add VALUE * COLUMN to the sum of the next row, at most once for each column; lp_end_row() adds the row, which
 * compares the sum with RIGHT.
 */
void lp_put(struct lp *, int column, double value);
void lp_end_row(struct lp *, enum lp_sense, double right);
/* Add a column of cost 0 with VALUE[n] in the rows INDEX[n], ascending. */
void lp_add_column(struct lp *, int n, double *value, int *index);
int lp_add_binary(struct lp *);				/* a column that is 0 or 1, in no row; return its number */
int lp_rows(const struct lp *);
int lp_columns(const struct lp *);

enum lp_status lp_solve(struct lp *);
double lp_value(const struct lp *);			/* objective */
const double *lp_solution(const struct lp *);		/* [columns], from 0; NULL: none */
/*
 * Get the multipliers of the rows, then reduced costs: DUAL[1 + rows + columns], from 1. Return false if they are
 * unavailable.
 */
bool lp_duals(const struct lp *, double *dual);

/* Names for lp_write_...(). */
void lp_name(struct lp *, const char *name);
void lp_name_column(struct lp *, int column, const char *name);
void lp_name_row(struct lp *, int row, const char *name);
int lp_find_column(const struct lp *, const char *name);	/* less than 1: none */
/* Return false if writing fails. */
bool lp_write_lp(struct lp *, FILE *);			/* lp_solve's own format */
bool lp_write_mps(struct lp *, FILE *);			/* free MPS */

#endif
