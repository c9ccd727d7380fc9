#include "gram.h"

#include <math.h>
#include <string.h>

#include <lapacke.h>

#include "lib/measure/blas.h"

static const double singular = 1e-12;	/* an eigenvalue below this counts as 0 */

struct gram
gram_new(const struct guide_question *q)
{
	struct gram g = { .question = q };

	blas_one_thread();
	g.n = question_unknowns(q, g.unknown);
	return g;
}

static void
add_row(struct gram *g, int stage, int count[MOST_BODIES][RECOMPUTE_BUILT_IN], int sign)
{
	const struct guide_question *q = g->question;
	double row[MOST_UNKNOWNS] = { 0 }, own[UNKNOWNS];

	for (int b = 0; b < q->bodies; b++) {
		equation_row(own, stage, q->stages, count[b]);
		memcpy(&row[b * BODY_UNKNOWNS], own, BODY_UNKNOWNS * sizeof *own);
	}
	memcpy(&row[q->bodies * BODY_UNKNOWNS], &own[UNKNOWN_CONSTANT], (UNKNOWNS - UNKNOWN_CONSTANT) * sizeof *own);
	for (int i = 0; i < g->n; i++)
		for (int j = 0; j < g->n; j++)
			g->at[i][j] += sign * row[g->unknown[i]] * row[g->unknown[j]];
}

void
gram_add(struct gram *g, const struct guide_setting round[], int stage, int sign)
{
	const struct guide_question *q = g->question;
	int body = 0, left = q->body[0];

	for (int s = q->bodies > 1 ? 0 : stage; s < (q->bodies > 1 ? q->stages : stage + 1); s++) {
		int count[MOST_BODIES][RECOMPUTE_BUILT_IN] = { { 0 } };

		if (q->bodies == 1)
			memcpy(count[0], round[s].count, sizeof count[0]);
		/* Distribute kinds over layers in the same way as settings_deal(). */
		for (int i = 0; i < RECOMPUTE_KINDS && q->bodies > 1; i++) {
			int k = (int)recompute_costly_first[i], there = k < RECOMPUTE_BUILT_IN ? round[s].count[k] : 0;

			while (there > 0 && body < q->bodies) {
				int n = there < left ? there : left;

				count[body][k] += n;
				there -= n;
				left -= n;
				if (left == 0)
					left = ++body < q->bodies ? q->body[body] : 0;
			}
		}
		add_row(g, s, count, sign);
	}
}

void
gram_add_all(struct gram *g, const struct guide_setting at[], int rounds)
{
	int stages = g->question->stages;

	for (int r = 0; r < rounds; r++)
		for (int s = 0; s < (g->question->bodies > 1 ? 1 : stages); s++)
			gram_add(g, &at[r * stages], s, 1);
}

double
gram_condition(struct gram *g)
{
	double scaled[MOST_UNKNOWNS * MOST_UNKNOWNS], value[MOST_UNKNOWNS], work[3 * MOST_UNKNOWNS];

	g->open = 0;
	for (int i = 0; i < g->n; i++)
		g->open += g->at[i][i] <= 0;
	if (g->open > 0)
		return INFINITY;
	for (int i = 0; i < g->n; i++)
		for (int j = 0; j < g->n; j++)
			scaled[i * g->n + j] = g->at[i][j] / sqrt(g->at[i][i] * g->at[j][j]);
	if (LAPACKE_dsyev_work(LAPACK_COL_MAJOR, 'N', 'L', g->n, scaled, g->n, value, work,
	    3 * MOST_UNKNOWNS) != 0)
		return INFINITY;
	for (int i = 0; i < g->n; i++)
		g->open += value[i] < singular * value[g->n - 1];
	return g->open > 0 ? INFINITY : sqrt(value[g->n - 1] / value[0]);
}
