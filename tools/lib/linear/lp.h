/*
 * Linear programmes, minimised by lp_solve. No other file uses lp_solve. Columns and rows are numbered from 1. Columns
 * are nonnegative. Every function exits if memory runs out.
 */
#ifndef LP_H
#define LP_H

#include <stdbool.h>
#include <stdio.h>

struct lp;

enum lp_sense { LP_AT_MOST, LP_AT_LEAST, LP_EQUAL };
enum lp_status {
	LP_OPTIMAL,		/* within the solver's tolerances */
	LP_SUBOPTIMAL,		/* a solution that may not be the best */
	LP_NO_SOLUTION,		/* infeasible, failed, or out of time */
};

struct lp *lp_new(int columns);		/* has no rows, and all costs are 0 */
void lp_free(struct lp *);
/* Stop solving at *DEADLINE, s of clock_now(), which must outlive the programme. */
void lp_set_deadline(struct lp *, double *deadline);

void lp_set_cost(struct lp *, int column, double cost);
void lp_set_upper(struct lp *, int column, double upper);
void lp_set_unbounded(struct lp *, int column);	/* the column may be negative */
void lp_set_whole(struct lp *, int column);		/* the column is an integer, in the output of lp_write_...() */
void lp_set_right(struct lp *, int row, double right);
/*
 * Add VALUE * COLUMN to the next row, at most once for each column. lp_end_row() completes the row, with RIGHT on its
 * right side.
 */
void lp_put(struct lp *, int column, double value);
void lp_end_row(struct lp *, enum lp_sense, double right);
/* Add a column of cost 0, with VALUE[n] in the rows INDEX[n], which ascend. */
void lp_add_column(struct lp *, int n, double *value, int *index);
int lp_add_binary(struct lp *);			/* add a column that is 0 or 1 and is in no row; return its number */
int lp_rows(const struct lp *);
int lp_columns(const struct lp *);

enum lp_status lp_solve(struct lp *);
double lp_value(const struct lp *);			/* value of the objective */
const double *lp_solution(const struct lp *);		/* [columns], index from 0; NULL: no solution */
/*
 * Get the multipliers of the rows, then the reduced costs: DUAL[1 + rows + columns], index from 1. Return false if
 * lp_solve has none.
 */
bool lp_duals(const struct lp *, double *dual);

/* Set the names in the output of lp_write_...(). */
void lp_name(struct lp *, const char *name);
void lp_name_column(struct lp *, int column, const char *name);
void lp_name_row(struct lp *, int row, const char *name);
int lp_find_column(const struct lp *, const char *name);	/* number of the column; below 1: none has the name */
/* Write the programme. Return false if writing fails. */
bool lp_write_lp(struct lp *, FILE *);			/* in lp_solve's own format */
bool lp_write_mps(struct lp *, FILE *);			/* in the format free MPS */

#endif
