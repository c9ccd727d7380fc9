#include "split.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/alloc.h"
#include "lib/base/numbers.h"
#include "robust.h"

/* a residual is an outlier if its probability, times the number of measurements, is below this */
static const double odd_probability = 0.05;
static const double least_outlier = 1;		/* MB, the resolution of logs */

/*
 * Compute the probabilities of residuals for least absolute deviations, which pass through n of the m points. The size
 * of errors is estimated from the median of the other residuals. The standard deviation of normal errors is 1.4826
 * medians.
 */
static void
robust_odds(struct split *s)
{
	int m = s->fit.m, rest = m - s->fit.n;
	double *size = xcalloc((size_t)m, sizeof *size), sigma;

	for (int i = 0; i < m; i++)
		size[i] = fabs(s->fit.residual[i]);
	numbers_sort(size, (size_t)m);
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
			s.value[u] = sys->times[u] * s.value[UNKNOWN_PARAMETER] + sys->plus[u];
			s.solved[u] = true;
		}
	free(a);
	free(b);
	return s;
}

const double split_unmeasured = 0.3, split_shapes = 0.1;

/* Return the solved kind of recomputation of a body that keeps the most memory; -1: none. */
static int
solved_kind(const struct split *s, int body)
{
	for (int k = 0; k < RECOMPUTE_KINDS; k++) {
		int u = system_unknown(s->system, body, UNKNOWN_ACTIVATION) + k;

		if (s->solved[u] && s->value[u] > 0)
			return k;
	}
	return -1;
}

void
split_compute(struct split *s, const struct memsplit_shapes *shapes)
{
	const struct system *sys = s->system;

	memcpy(s->computed, sys->computed, sizeof s->computed);
	for (int b = 0; b < sys->bodies.n && shapes->known; b++) {
		int kind = shapes_kind(shapes, &sys->bodies, b), from = solved_kind(s, b);
		int first = system_unknown(sys, b, UNKNOWN_ACTIVATION);
		double known, shape;

		if (kind < 0 || from < 0)
			continue;
		shape = shapes_kept(shapes, kind, (enum recompute)from);
		if (shape <= 0)
			continue;
		known = s->value[first + from];
		for (int k = 0; k < RECOMPUTE_KINDS; k++) {
			double kept = shapes_kept(shapes, kind, (enum recompute)k);

			/* The memory of recomputed scores is not computed from shapes: only measurements give it. */
			if (k == RECOMPUTE_SELECT || s->solved[first + k] || kept <= 0)
				continue;
			s->value[first + k] = kept > shape ? known + kept - shape : known * kept / shape;
			s->solved[first + k] = true;
			s->computed[first + k] = s->value[first + k] * fmax(split_shapes, fabs(known / shape - 1));
		}
	}
}

void
split_free(struct split *s)
{
	leastsquares_free(&s->fit);
	free(s->odd);
}

bool
split_left_out(const struct split *s, int i, double *memory)
{
	/* This is the residual of least squares without this equation (Allen 1974, PRESS). */
	double free_part = 1 - s->fit.leverage[i];

	if (s->robust || s->fit.rank < s->system->n || free_part < 1e-9)
		return false;
	*memory = s->system->measured[i].memory - s->fit.residual[i] / free_part;
	return true;
}

bool
split_outlier(const struct split *s, int i)
{
	return s->odd[i] * s->fit.m < odd_probability && fabs(s->fit.residual[i]) > least_outlier;
}
