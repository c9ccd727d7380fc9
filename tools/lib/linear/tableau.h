/*
 * Tableau: a small linear programme, minimised by the simplex method (Dantzig 1951) and kept in its last basis, so that
 * later rows and columns cost few pivots. Dense: up to some hundred rows and columns that is many times faster than a
 * solver with a sparse factorisation. Columns and rows are numbered from 0 in order of addition, columns are
 * nonnegative.
 */
#ifndef TABLEAU_H
#define TABLEAU_H

#include <stdbool.h>

#define TABLEAU_LACK 100	/* penalty per unit missing in an equality */

struct tableau;

/*
 * Create a programme of equality rows with nonnegative right sides, which may fall short at that penalty; and column 0
 * of cost 1, with coefficient 0 in these rows and 1 in each later row.
 */
struct tableau *tableau_new(int rows, const double *right);
void tableau_free(struct tableau *);
void tableau_add_column(struct tableau *, double cost, const double *value);	/* VALUE[rows] */
/* Add a row: the sum of VALUE[columns] times the columns >= RIGHT. VALUE[0] must be 1. */
void tableau_add_row(struct tableau *, const double *value, double right);
/*
 * Return whether a row can be dropped (its slack is basic, so its multiplier is 0); a column (not basic, so it is 0).
 * Equalities and column 0 cannot.
 */
bool tableau_can_drop_row(const struct tableau *, int row);
bool tableau_can_drop_column(const struct tableau *, int column);
/* Drop rows with ROW[rows] 0 and columns with COLUMN[columns] 0; renumber the rest. */
void tableau_keep(struct tableau *, const char *row, const char *column);
int tableau_rows(const struct tableau *);
int tableau_columns(const struct tableau *);

/*
 * Solve. Return false after too many pivots, at DEADLINE (s of clock.h), or if rounding has spoilt the tableau.
 * Multipliers hold only within tolerances: compute bounds from them by weak duality.
 */
bool tableau_solve(struct tableau *, double deadline);
double tableau_value(const struct tableau *);		/* objective */
void tableau_solution(const struct tableau *, double *x);	/* get X[columns] */
double tableau_dual(const struct tableau *, int row);	/* multiplier */
double tableau_reduced(const struct tableau *, int column);	/* reduced cost */
double tableau_work(const struct tableau *);	/* coefficients computed */

#endif
