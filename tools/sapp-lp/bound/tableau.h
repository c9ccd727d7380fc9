/*
 * Tableau: a small linear programme, minimised by the simplex method (Dantzig 1951) and kept in the form of its last
 * basis, so that rows and columns that come later cost a few pivots.  Everything is dense: for up to some hundred rows
 * and columns that is many times as fast as a solver that keeps a sparse factorisation.  Columns and rows are numbered
 * from 0 as they come, all columns are at least 0.
 */
#ifndef TABLEAU_H
#define TABLEAU_H

#include <stdbool.h>

#define TABLEAU_LACK 100	/* penalty of a unit missing in an equality */

struct tableau;

/*
 * With equality rows, of right sides that are not negative, which may fall short at that penalty; and column 0, of cost
 * 1, with coefficient 0 in these rows, and 1 in each row that comes later.
 */
struct tableau *tableau_new(int rows, const double *right);
void tableau_free(struct tableau *);
void tableau_add_column(struct tableau *, double cost, const double *value);	/* VALUE[rows] */
/* The sum of VALUE[columns] times the columns is at least RIGHT. VALUE[0] must be 1. */
void tableau_add_row(struct tableau *, const double *value, double right);
/*
 * Whether a row can be dropped: its slack is basic, so its multiplier is 0; and a column: it is not basic, so it is 0.
 * Equalities and column 0 cannot.
 */
bool tableau_can_drop_row(const struct tableau *, int row);
bool tableau_can_drop_column(const struct tableau *, int column);
/* Drop those whose ROW[rows] or COLUMN[columns] is 0; the others move up. */
void tableau_keep(struct tableau *, const char *row, const char *column);
int tableau_rows(const struct tableau *);
int tableau_columns(const struct tableau *);

/*
 * False: it took too many pivots, or until DEADLINE, s of clock.h, or rounding has spoilt the tableau. Multipliers are
 * only within tolerances in any case: a bound is to be computed from them by weak duality.
 */
bool tableau_solve(struct tableau *, double deadline);
double tableau_value(const struct tableau *);		/* of the objective */
void tableau_solution(const struct tableau *, double *x);	/* X[columns] */
double tableau_dual(const struct tableau *, int row);	/* its multiplier */
double tableau_reduced(const struct tableau *, int column);	/* its reduced cost */
double tableau_work(const struct tableau *);	/* coefficients computed so far */

#endif
