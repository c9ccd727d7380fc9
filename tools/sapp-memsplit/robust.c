#include "robust.h"

#include <err.h>
#include <math.h>
#include <stdlib.h>

#include "lib/base/alloc.h"
#include "lib/base/status.h"
#include "lib/linear/lp.h"

/*
 * Return the programme. Columns 1..n are x in units of their largest coefficients. A surplus and a shortfall for each
 * equation follow.
 */
static struct lp *
program(const struct leastsquares *f, const double *a, const double *b, const double *scale)
{
	struct lp *lp = lp_new(f->n + 2 * f->m);

	for (int j = 1; j <= f->n; j++)
		lp_set_unbounded(lp, j);
	for (int j = f->n + 1; j <= f->n + 2 * f->m; j++)
		lp_set_cost(lp, j, 1);
	for (int i = 0; i < f->m; i++) {
		for (int j = 0; j < f->n; j++)
			lp_put(lp, j + 1, a[i * f->n + j] / scale[j]);
		lp_put(lp, f->n + 2 * i + 1, 1);
		lp_put(lp, f->n + 2 * i + 2, -1);
		lp_end_row(lp, LP_EQUAL, b[i]);
	}
	return lp;
}

void
robust_solve(struct leastsquares *f, const double *a, const double *b)
{
	double *scale = xcalloc((size_t)f->n, sizeof *scale);
	const double *all;
	struct lp *lp;

	for (int i = 0; i < f->m; i++)
		for (int j = 0; j < f->n; j++)
			scale[j] = fmax(scale[j], fabs(a[i * f->n + j]));
	lp = program(f, a, b, scale);
	/* The programme is always feasible and bounded. */
	if (lp_solve(lp) != LP_OPTIMAL || (all = lp_solution(lp)) == NULL)
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
	lp_free(lp);
	free(scale);
}
