/*
 * A small linear programme, minimised by the simplex method (Dantzig 1951). The tableau stays at its last basis, so
 * later rows and columns cost few pivots. It is dense. Up to some hundred rows and columns, a dense tableau is many
 * times faster than a solver with a sparse factorisation. Columns and rows are numbered from 0 in the order of
 * addition. Columns are nonnegative.
 */
#ifndef TABLEAU_H
#define TABLEAU_H

#include <stdbool.h>

#define TABLEAU_LACK 100	/* cost per unit by which the left side of an equality is below its right side */

struct tableau;

/*
 * Create a programme of equality rows with nonnegative right sides RIGHT[rows]. The left sides may be below the right
 * sides, at the cost TABLEAU_LACK per unit. Column 0 has cost 1, and coefficient 0 in these rows. In each later row it
 * has coefficient 1.
 */
struct tableau *tableau_new(int rows, const double *right);
void tableau_free(struct tableau *);
/* VALUE[rows]: the column's coefficients */
void tableau_add_column(struct tableau *, double cost, const double *value);
/* Add the row: sum of VALUE[columns] times the columns >= RIGHT. VALUE[0] must be 1. */
void tableau_add_row(struct tableau *, const double *value, double right);
/*
 * Return whether a row can be dropped: its slack is basic, so its multiplier is 0. Return whether a column can be
 * dropped: it is not basic, so it is 0. Equalities and column 0 cannot be dropped.
 */
bool tableau_can_drop_row(const struct tableau *, int row);
bool tableau_can_drop_column(const struct tableau *, int column);
/*
 * Drop the rows for which ROW[rows] is 0 and the columns for which COLUMN[columns] is 0. Renumber the remaining rows
 * and columns.
 */
void tableau_keep(struct tableau *, const char *row, const char *column);
int tableau_rows(const struct tableau *);
int tableau_columns(const struct tableau *);

/*
 * Solve. Return false after too many pivots, at DEADLINE (s of clock_now()), or if rounding has spoilt the tableau.
 * Multipliers are correct only within tolerances, so bounds must be computed from them by weak duality.
 */
bool tableau_solve(struct tableau *, double deadline);
double tableau_value(const struct tableau *);		/* value of the objective */
void tableau_solution(const struct tableau *, double *x);	/* get the values of all columns, X[columns] */
double tableau_dual(const struct tableau *, int row);	/* multiplier of the row */
double tableau_reduced(const struct tableau *, int column);	/* reduced cost of the column */
double tableau_work(const struct tableau *);	/* number of coefficients computed since the programme was created */

#endif
