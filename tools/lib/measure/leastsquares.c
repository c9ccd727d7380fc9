#include "leastsquares.h"

#include <err.h>
#include <lapacke.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/alloc.h"
#include "lib/base/status.h"
#include "lib/measure/blas.h"

/* below this, a singular value relative to the largest one, or 1 - leverage, counts as 0 */
static const double tiny = 1e-10;

/* The decomposition A = U S V' of the scaled A. If m < n, A is extended by equations of zeros. */
struct svd {
	int m, n;
	double *scale;		/* [n], length of each column of A */
	double *u, *s, *vt;	/* [m][n], [n], [n][n] */
};

static struct svd
svd_new(int m, int n, const double *a)
{
	int rows = m > n ? m : n;
	size_t un = (size_t)n;
	struct svd d = { rows, n, xcalloc(un, sizeof(double)), xcalloc((size_t)rows * un, sizeof(double)),
	    xcalloc(un, sizeof(double)), xcalloc(un * un, sizeof(double)) };
	double *work = xcalloc((size_t)rows * un, sizeof *work);

	for (int j = 0; j < n; j++) {
		for (int i = 0; i < m; i++)
			d.scale[j] = hypot(d.scale[j], a[(size_t)i * un + (size_t)j]);
		if (d.scale[j] == 0)
			d.scale[j] = 1;
		for (int i = 0; i < m; i++)
			work[(size_t)i * un + (size_t)j] = a[(size_t)i * un + (size_t)j] / d.scale[j];
	}
	blas_one_thread();
	if (LAPACKE_dgesdd(LAPACK_ROW_MAJOR, 'S', rows, n, work, n, d.s, d.u, n, d.vt, n) != 0)
		errx(STATUS_ERROR, "fault: LAPACK found no singular values of a %d x %d matrix", m, n);
	free(work);
	return d;
}

static void
svd_free(struct svd *d)
{
	free(d->scale);
	free(d->u);
	free(d->s);
	free(d->vt);
}

static double
at(const double *matrix, int n, int i, int j)
{
	return matrix[(size_t)i * (size_t)n + (size_t)j];
}

/* Return P(|t| > T) with FREEDOM degrees of freedom, by the finite series of Abramowitz & Stegun, 26.7.3 and 26.7.4. */
static double
student_tails(double t, int freedom)
{
	double angle = atan(t / sqrt(freedom)), c = cos(angle), sum = 0, term = 1, inside;

	for (int k = freedom % 2 == 1 ? 3 : 2; k <= freedom; k += 2) {
		sum += term;
		term *= (k - 1.0) / k * c * c;
	}
	if (freedom % 2 == 1)
		inside = 2 / M_PI * (angle + (freedom > 1 ? sin(angle) * c * sum : 0));
	else
		inside = sin(angle) * sum;
	return inside >= 1 ? 0 : 1 - inside;
}

/*
 * Return the factor for standard errors with few degrees of freedom. With it, 3 standard errors contain the true value
 * as often as with a normal distribution.
 */
static double
widening(int freedom)
{
	const double outside = erfc(3 / M_SQRT2);
	double low = 1, high = 2;

	while (student_tails(3 * high, freedom) > outside)
		high *= 2;
	for (int i = 0; i < 60; i++) {
		double middle = (low + high) / 2;

		if (student_tails(3 * middle, freedom) > outside)
			low = middle;
		else
			high = middle;
	}
	return high;
}

/*
 * Compute standard errors from the residuals, once as if all errors were equal, once as if they were proportional to
 * the measurements. Take the larger, since they differ for unknowns in few equations.
 */
static void
standard_errors(struct leastsquares *f, const struct svd *d, const double *b)
{
	double squares = 0, freedom = 0, weighted = 0, wide = widening(f->m - f->n);

	/* The expected sum of residuals^2 is the sum of (1 - leverage) x variance. */
	for (int i = 0; i < f->m; i++) {
		squares += f->residual[i] * f->residual[i];
		freedom += 1 - f->leverage[i];
		weighted += (1 - f->leverage[i]) * b[i] * b[i];
	}
	f->error = xcalloc((size_t)f->n, sizeof *f->error);
	for (int j = 0; j < f->n; j++) {
		double even = 0, growing = 0;

		for (int i = 0; i < f->m; i++) {
			double inverse = 0;	/* derivative of x_j by b_i */

			for (int k = 0; k < f->n; k++)
				inverse += at(d->vt, f->n, k, j) / d->s[k] * at(d->u, f->n, i, k);
			inverse /= d->scale[j];
			even += inverse * inverse;
			growing += inverse * inverse * b[i] * b[i];
		}
		even *= squares / freedom;
		growing *= weighted > 0 ? squares / weighted : 0;
		f->error[j] = wide * sqrt(even > growing ? even : growing);
	}
}

struct leastsquares
leastsquares_solve(int m, int n, const double *a, const double *b)
{
	size_t un = (size_t)n;
	struct leastsquares f = { .m = m, .n = n, .x = xcalloc(un, sizeof(double)),
	    .residual = xcalloc((size_t)m, sizeof(double)), .leverage = xcalloc((size_t)m, sizeof(double)),
	    .null = xcalloc(un * un, sizeof(double)) };
	struct svd d = svd_new(m, n, a);

	while (f.rank < n && d.s[f.rank] > tiny * d.s[0])
		f.rank++;
	f.condition = f.rank == n && n > 0 ? d.s[0] / d.s[n - 1] : INFINITY;
	for (int k = 0; k < f.rank; k++) {
		double y = 0;

		for (int i = 0; i < m; i++)
			y += at(d.u, n, i, k) * b[i];
		for (int j = 0; j < n; j++)
			f.x[j] += at(d.vt, n, k, j) * y / d.s[k] / d.scale[j];
	}
	for (int k = f.rank; k < n; k++)
		for (size_t i = 0; i < un * un; i++)
			f.null[i] += at(d.vt, n, k, (int)(i / un)) * at(d.vt, n, k, (int)(i % un));
	for (int i = 0; i < m; i++) {
		f.residual[i] = b[i];
		for (int j = 0; j < n; j++)
			f.residual[i] -= at(a, n, i, j) * f.x[j];
		for (int k = 0; k < f.rank; k++)
			f.leverage[i] += at(d.u, n, i, k) * at(d.u, n, i, k);
	}
	if (m > n && f.rank == n)
		standard_errors(&f, &d, b);
	svd_free(&d);
	return f;
}

void
leastsquares_free(struct leastsquares *f)
{
	free(f->x);
	free(f->residual);
	free(f->leverage);
	free(f->null);
	free(f->error);
	memset(f, 0, sizeof *f);
}

double
leastsquares_odd(const struct leastsquares *f, int i)
{
	double free_part = 1 - f->leverage[i], own, others = 0;
	int freedom = f->m - f->n - 1;

	if (freedom < 1 || f->rank < f->n || free_part < tiny)
		return 1;
	own = f->residual[i] * f->residual[i] / free_part;
	for (int k = 0; k < f->m; k++)
		others += f->residual[k] * f->residual[k];
	others = (others - own) / freedom;
	if (own <= 0)
		return 1;
	return others <= 0 ? 0 : student_tails(sqrt(own / others), freedom);
}
