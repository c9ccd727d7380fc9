#include "robust.h"

#include <err.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

#include <lpsolve/lp_lib.h>

#include "lib/base/alloc.h"
#include "lib/base/status.h"

/* Columns 1..n are x in units of their largest coefficient; then a surplus and a shortfall per equation. */
static lprec *
program(const struct leastsquares *f, const double *a, const double *b, const double *scale)
{
	lprec *lp = make_lp(0, f->n + 2 * f->m);
	double *value = xcalloc((size_t)f->n + 2, sizeof *value);
	int *column = xcalloc((size_t)f->n + 2, sizeof *column);
	bool good = lp != NULL && set_add_rowmode(lp, TRUE);

	for (int j = 0; good && j < f->n; j++)
		good = set_unbounded(lp, j + 1);
	for (int j = f->n; good && j < f->n + 2 * f->m; j++)
		good = set_obj(lp, j + 1, 1);
	for (int i = 0; good && i < f->m; i++) {
		for (int j = 0; j < f->n; j++) {
			value[j] = a[i * f->n + j] / scale[j];
			column[j] = j + 1;
		}
		value[f->n] = 1;
		column[f->n] = f->n + 2 * i + 1;
		value[f->n + 1] = -1;
		column[f->n + 1] = f->n + 2 * i + 2;
		good = add_constraintex(lp, f->n + 2, value, column, EQ, b[i]);
	}
	if (!good)
		errx(STATUS_ERROR, "out of memory");
	set_add_rowmode(lp, FALSE);
	set_verbose(lp, NEUTRAL);
	free(value);
	free(column);
	return lp;
}

void
robust_solve(struct leastsquares *f, const double *a, const double *b)
{
	double *scale = xcalloc((size_t)f->n, sizeof *scale);
	double *all = xcalloc((size_t)(f->n + 2 * f->m), sizeof *all);
	lprec *lp;

	for (int i = 0; i < f->m; i++)
		for (int j = 0; j < f->n; j++)
			scale[j] = fmax(scale[j], fabs(a[i * f->n + j]));
	lp = program(f, a, b, scale);
	/* The program is always feasible and bounded. */
	if (solve(lp) != OPTIMAL || !get_variables(lp, all))
		errx(STATUS_ERROR, "-robust: lp_solve found no optimum");
	for (int j = 0; j < f->n; j++)
		f->x[j] = all[j] / scale[j];
	for (int i = 0; i < f->m; i++) {
		f->residual[i] = b[i];
		for (int j = 0; j < f->n; j++)
			f->residual[i] -= a[i * f->n + j] * f->x[j];
	}
	free(f->error);
	f->error = NULL;
	delete_lp(lp);
	free(all);
	free(scale);
}
