#include "gram.h"

#include <math.h>

#include <lapacke.h>

#include "lib/measure/blas.h"

static const double singular = 1e-12;	/* limit below which an eigenvalue counts as 0 */

struct gram
gram_new(const struct question *q)
{
	struct gram g = { .question = q };

	blas_one_thread();
	g.n = question_unknowns(q, g.unknown);
	return g;
}

void
gram_add(struct gram *g, int stage, const struct setting *s, int sign)
{
	double row[UNKNOWNS];

	equation_row(row, stage, g->question->stages, s->count);
	for (int i = 0; i < g->n; i++)
		for (int j = 0; j < g->n; j++)
			g->at[i][j] += sign * row[g->unknown[i]] * row[g->unknown[j]];
}

double
gram_condition(const struct gram *g)
{
	double scaled[UNKNOWNS * UNKNOWNS], value[UNKNOWNS], work[3 * UNKNOWNS];

	for (int i = 0; i < g->n; i++)
		if (g->at[i][i] <= 0)
			return INFINITY;
	for (int i = 0; i < g->n; i++)
		for (int j = 0; j < g->n; j++)
			scaled[i * g->n + j] = g->at[i][j] / sqrt(g->at[i][i] * g->at[j][j]);
	if (LAPACKE_dsyev_work(LAPACK_COL_MAJOR, 'N', 'L', g->n, scaled, g->n, value, work,
	    3 * UNKNOWNS) != 0)
		return INFINITY;
	return value[0] < singular * value[g->n - 1] ? INFINITY : sqrt(value[g->n - 1] / value[0]);
}
