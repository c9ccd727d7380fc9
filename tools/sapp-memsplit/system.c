/* One equation for every measured stage, and the unknowns they are solved for. */
#include "system.h"

#include <stdlib.h>

#include "lib/alloc.h"
#include "lib/leastsquares.h"

void
system_counts(const struct system *sys, int round, int stage, int count[RECOMPUTE_KINDS])
{
	for (int k = 0; k < RECOMPUTE_KINDS; k++)
		count[k] = *grid_at(sys->init->round[round].kind[k], 0, stage);
}

static bool
is_middle(const struct system *sys, int i)
{
	return sys->measured[i].stage > 0 && sys->measured[i].stage < sys->init->stages - 1;
}

double *
system_matrix(const struct system *sys)
{
	double *a = xcalloc((size_t)sys->m * (size_t)sys->n, sizeof *a);

	for (int i = 0; i < sys->m; i++)
		for (int j = 0; j < sys->n; j++)
			a[i * sys->n + j] = sys->row[i][sys->unknown[j]];
	return a;
}

double *
system_memory(const struct system *sys)
{
	double *b = xcalloc((size_t)sys->m, sizeof *b);

	for (int i = 0; i < sys->m; i++)
		b[i] = sys->measured[i].memory;
	return b;
}

static int
rank(const struct system *sys)
{
	double *a = system_matrix(sys), *b = system_memory(sys);
	struct leastsquares f = leastsquares_solve(sys->m, sys->n, a, b);
	int r = f.rank;

	leastsquares_free(&f);
	free(a);
	free(b);
	return r;
}

/*
 * The constant takes part when at least (kinds + 2) middle stages were measured, as many as they have
 * unknowns, and it can be told apart from the rest.
 */
static void
decide_constant(struct system *sys, int kinds)
{
	struct system without = *sys;

	for (int i = 0; i < sys->m; i++)
		sys->middle += is_middle(sys, i);
	sys->middle_needed = kinds + 2;
	system_drop(&without, UNKNOWN_CONSTANT);
	if (sys->middle < sys->middle_needed)
		sys->constant = CONSTANT_TOO_FEW;
	else if (rank(&without) == rank(sys))
		sys->constant = CONSTANT_AMBIGUOUS;
	if (sys->constant != CONSTANT_UNKNOWN)
		system_drop(sys, UNKNOWN_CONSTANT);
}

struct system
system_new(const struct initfile *init, struct measured *measured, int m)
{
	struct system sys = { .init = init, .m = m, .measured = measured };
	int occurs[RECOMPUTE_KINDS] = { [RECOMPUTE_NONE] = 1 }, kinds = 0;

	sys.row = xcalloc((size_t)m, sizeof *sys.row);
	for (int i = 0; i < m; i++) {
		int count[RECOMPUTE_KINDS];

		system_counts(&sys, measured[i].round, measured[i].stage, count);
		equation_row(sys.row[i], measured[i].stage, init->stages, count);
		for (int k = 0; k < RECOMPUTE_KINDS; k++)
			occurs[k] |= count[k] > 0;
	}
	sys.unknown[sys.n++] = UNKNOWN_PARAMETER;
	for (int k = 0; k < RECOMPUTE_KINDS; k++)
		if (occurs[k]) {
			sys.unknown[sys.n++] = (enum unknown)(UNKNOWN_ACTIVATION + k);
			kinds++;
		}
	sys.unknown[sys.n++] = UNKNOWN_CONSTANT;
	sys.unknown[sys.n++] = UNKNOWN_HEAD;
	sys.unknown[sys.n++] = UNKNOWN_TAIL;
	decide_constant(&sys, kinds);
	return sys;
}

void
system_drop(struct system *sys, enum unknown u)
{
	int n = 0;

	for (int j = 0; j < sys->n; j++)
		if (sys->unknown[j] != u)
			sys->unknown[n++] = sys->unknown[j];
	sys->n = n;
}

void
system_free(struct system *sys)
{
	free(sys->measured);
	free(sys->row);
}
