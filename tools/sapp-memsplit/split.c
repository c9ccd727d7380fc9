/* The memory of each part of the model, solved from the measured peaks. */
#include "split.h"

#include <math.h>
#include <stdlib.h>

#include "lib/base/alloc.h"
#include "robust.h"

static const double odd_probability = 0.05;	/* of one so large among all measurements */
static const double least_outlier = 1;		/* MB, the resolution of the logs */

static int
real_compare(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

/*
 * Least absolute deviations go through n of the m points; the size of the others' errors is taken
 * from their median (1.4826 medians are a standard deviation if errors are normal).
 */
static void
robust_odds(struct split *s)
{
	int m = s->fit.m, rest = m - s->fit.n;
	double *size = xcalloc((size_t)m, sizeof *size), sigma;

	for (int i = 0; i < m; i++)
		size[i] = fabs(s->fit.residual[i]);
	qsort(size, (size_t)m, sizeof *size, real_compare);
	sigma = rest > 1 ? 1.4826 * size[s->fit.n + (rest - 1) / 2] : INFINITY;
	for (int i = 0; i < m; i++) {
		double r = fabs(s->fit.residual[i]);

		s->odd[i] = r == 0 ? 1 : sigma == 0 ? 0 : erfc(r / sigma / M_SQRT2);
	}
	free(size);
}

struct split
split_new(const struct system *sys, bool robust)
{
	struct split s = { .system = sys, .robust = robust };
	double *a = system_matrix(sys), *b = system_memory(sys);

	s.odd = xcalloc((size_t)sys->m, sizeof *s.odd);
	s.fit = leastsquares_solve(sys->m, sys->n, a, b);
	if (robust && s.fit.rank == sys->n) {
		robust_solve(&s.fit, a, b);
		robust_odds(&s);
	} else {
		for (int i = 0; i < sys->m; i++)
			s.odd[i] = leastsquares_odd(&s.fit, i);
	}
	for (int j = 0; j < sys->n; j++) {
		s.value[sys->unknown[j]] = s.fit.x[j];
		s.solved[sys->unknown[j]] = true;
	}
	for (int u = 0; u < UNKNOWNS_MAX; u++)
		if (sys->held[u] > 0) {
			s.value[u] = sys->held[u];
			s.solved[u] = true;
		} else if (sys->times[u] > 0) {
			s.value[u] = sys->times[u] * s.value[UNKNOWN_PARAMETER];
			s.solved[u] = true;
		}
	free(a);
	free(b);
	return s;
}

void
split_free(struct split *s)
{
	leastsquares_free(&s->fit);
	free(s->odd);
}

bool
split_outlier(const struct split *s, int i)
{
	return s->odd[i] * s->fit.m < odd_probability && fabs(s->fit.residual[i]) > least_outlier;
}
