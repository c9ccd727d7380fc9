#include "system.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/alloc.h"
#include "lib/measure/leastsquares.h"

int
system_unknown(const struct system *sys, int body, enum unknown u)
{
	return u < UNKNOWN_CONSTANT ? body * BODY_UNKNOWNS + (int)u :
	    (int)u - (int)UNKNOWN_CONSTANT + sys->bodies.n * BODY_UNKNOWNS;
}

bool
system_activation(const struct system *sys, int unknown, int *body, enum recompute *kind)
{
	*body = unknown / BODY_UNKNOWNS;
	*kind = (enum recompute)(unknown % BODY_UNKNOWNS - UNKNOWN_ACTIVATION);
	return *body < sys->bodies.n && unknown % BODY_UNKNOWNS >= UNKNOWN_ACTIVATION;
}

void
system_counts(const struct system *sys, int round, int stage, int body, int count[RECOMPUTE_KINDS])
{
	for (int k = 0; k < RECOMPUTE_KINDS; k++) {
		struct grid g = sys->count[round][body][k];

		count[k] = g.at != NULL ? *grid_at(g, 0, stage) : 0;
	}
}

/* Return the name of a body's unknown, or of const, head or tail. */
static const char *
base_name(int body_unknown)
{
	int kind = body_unknown - UNKNOWN_ACTIVATION;

	return kind < RECOMPUTE_BUILT_IN ? unknown_names[body_unknown] : recompute_names[kind];
}

static void
name_unknowns(struct system *sys)
{
	for (int b = 0; b < sys->bodies.n; b++)
		for (int u = 0; u < BODY_UNKNOWNS && base_name(u) != NULL; u++)
			sys->name[b * BODY_UNKNOWNS + u] = sys->bodies.n > 1 ?
			    xasprintf("%s %s", sys->bodies.name[b], base_name(u)) : xstrdup(base_name(u));
	for (int u = UNKNOWN_CONSTANT; u < UNKNOWNS; u++)
		sys->name[system_unknown(sys, 0, (enum unknown)u)] = xstrdup(unknown_names[u]);
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

	for (int i = 0; i < sys->m; i++) {
		b[i] = sys->measured[i].memory - sys->measured[i].transient;
		for (int u = 0; u < UNKNOWNS_MAX; u++)
			b[i] -= (sys->held[u] + sys->plus[u]) * sys->row[i][u];
	}
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
 * Solve for the constant if it is determined, and if middle stages are at least as many as unknowns other than head and
 * tail.
 */
static void
decide_constant(struct system *sys)
{
	int constant = system_unknown(sys, 0, UNKNOWN_CONSTANT);
	struct system without = *sys;

	for (int i = 0; i < sys->m; i++)
		sys->middle += is_middle(sys, i);
	sys->middle_needed = sys->n - 2;
	system_drop(&without, constant);
	if (sys->middle < sys->middle_needed)
		sys->constant = CONSTANT_TOO_FEW;
	else if (rank(&without) == rank(sys))
		sys->constant = CONSTANT_AMBIGUOUS;
	if (sys->constant != CONSTANT_UNKNOWN)
		system_drop(sys, constant);
}

void
system_solve_constant(struct system *sys)
{
	struct system with = *sys;

	with.unknown[with.n++] = system_unknown(sys, 0, UNKNOWN_CONSTANT);
	if (sys->constant == CONSTANT_UNKNOWN || sys->middle == 0 || rank(&with) == rank(sys))
		return;
	sys->unknown[sys->n++] = system_unknown(sys, 0, UNKNOWN_CONSTANT);
	sys->constant = CONSTANT_UNKNOWN;
}

void
system_row(const struct system *sys, int stage, int body, const int count[RECOMPUTE_KINDS], double row[UNKNOWNS_MAX])
{
	int first = system_unknown(sys, body, UNKNOWN_PARAMETER);
	double part[UNKNOWNS];

	equation_row(part, stage, sys->init->stages, count);
	for (int u = 0; u < UNKNOWNS; u++)
		row[system_unknown(sys, body, (enum unknown)u)] = part[u];
	for (int k = RECOMPUTE_BUILT_IN; k < RECOMPUTE_KINDS; k++) {
		row[first + UNKNOWN_PARAMETER] += count[k];
		row[first + UNKNOWN_ACTIVATION + k] = (sys->init->stages - stage) * count[k];
	}
}

static void
fill_row(const struct system *sys, const struct fitted_peak *m, double row[UNKNOWNS_MAX])
{
	int micro = sys->init->step_micro_batches, held = sys->init->stages - m->stage;

	for (int b = 0; b < sys->bodies.n; b++) {
		int count[RECOMPUTE_KINDS];

		system_counts(sys, m->round, m->stage, b, count);
		system_row(sys, m->stage, b, count, row);
		/* Live micro-batches are at most the micro-batches of a step. */
		for (int k = 0; k < RECOMPUTE_KINDS; k++)
			if (micro > 0 && micro < held)
				row[system_unknown(sys, b, UNKNOWN_ACTIVATION) + k] *= (double)micro / held;
	}
}

/*
 * Return the maximum of the stage's transient memory, which the peak includes, because it is at the end of a forward.
 */
static double
transient_of(const struct system *sys, const struct fitted_peak *m)
{
	double most = m->stage == 0 ? sys->bodies.head_transient : 0;

	if (m->stage == sys->init->stages - 1)
		most = fmax(most, sys->bodies.tail_transient);
	for (int b = 0; b < sys->bodies.n; b++) {
		int count[RECOMPUTE_KINDS], layers = 0;

		system_counts(sys, m->round, m->stage, b, count);
		for (int k = 0; k < RECOMPUTE_KINDS; k++)
			layers += count[k];
		most = layers > 0 ? fmax(most, sys->bodies.transient[b]) : most;
	}
	return most;
}

/*
 * Return whether some measured layers of a body keep a part of their activations, but none keeps all. Such a training
 * run is accepted. The author of an init YAML gets a message about the missing measurement.
 */
static bool
recomputed_everywhere(const struct system *sys, int body)
{
	bool any = false;

	if (sys->init->yaml != NULL)
		return false;
	for (int i = 0; i < sys->m; i++)
		for (int k = 0; k < RECOMPUTE_KINDS; k++)
			if (sys->row[i][system_unknown(sys, body, UNKNOWN_ACTIVATION) + k] > 0) {
				if (k == RECOMPUTE_NONE)
					return false;
				any = true;
			}
	return any;
}

struct system
system_new(const struct initfile *init, const struct bodies *bodies, struct fitted_peak *measured, int m)
{
	struct system sys = { .init = init, .bodies = *bodies, .m = m, .measured = measured };

	sys.count = xcalloc((size_t)init->rounds, sizeof *sys.count);
	for (int r = 0; r < init->rounds; r++)
		settings_deal(init->round[r].kind, recompute_costly_first, NULL, bodies->n, bodies->layers,
		    sys.count[r]);
	name_unknowns(&sys);
	sys.row = xcalloc((size_t)m, sizeof *sys.row);
	for (int i = 0; i < m; i++)
		fill_row(&sys, &measured[i], sys.row[i]);
	for (int i = 0; i < m; i++)
		measured[i].transient = transient_of(&sys, &measured[i]);
	for (int b = 0; b < bodies->n; b++) {
		sys.unknown[sys.n++] = system_unknown(&sys, b, UNKNOWN_PARAMETER);
		for (int k = 0; k < RECOMPUTE_KINDS; k++) {
			int u = system_unknown(&sys, b, UNKNOWN_ACTIVATION) + k;
			bool occurs = k == RECOMPUTE_NONE && !recomputed_everywhere(&sys, b);

			for (int i = 0; i < m; i++)
				occurs |= sys.row[i][u] > 0;
			if (occurs)
				sys.unknown[sys.n++] = u;
		}
	}
	for (int u = UNKNOWN_CONSTANT; u < UNKNOWNS; u++)
		sys.unknown[sys.n++] = system_unknown(&sys, 0, (enum unknown)u);
	for (int b = 0; b < bodies->n; b++)
		if (bodies->parameter[b] > 0)
			system_hold(&sys, system_unknown(&sys, b, UNKNOWN_PARAMETER), bodies->parameter[b]);
	decide_constant(&sys);
	return sys;
}

int
system_floor_unknown(const struct system *sys)
{
	return sys->bodies.n * BODY_UNKNOWNS + UNKNOWNS - UNKNOWN_CONSTANT;
}

bool
system_floor(struct system *sys, int from)
{
	int u = system_floor_unknown(sys), n = 0;

	for (int i = 0; i < sys->m; i++) {
		struct fitted_peak *m = &sys->measured[i];

		if (m->stage < from || !is_middle(sys, i))
			continue;
		memset(sys->row[i], 0, sizeof sys->row[i]);
		sys->row[i][u] = *grid_at(sys->init->round[m->round].layers, 0, m->stage);
		m->floor = true;
		m->transient = 0;
		n++;
	}
	if (sys->name[u] == NULL)
		sys->name[u] = xstrdup("floor");
	sys->unknown[sys->n++] = u;
	return n > 1;
}

struct system
system_copy(const struct system *from)
{
	struct system sys = *from;

	sys.row = xcalloc((size_t)sys.m, sizeof *sys.row);
	memcpy(sys.row, from->row, (size_t)sys.m * sizeof *sys.row);
	sys.measured = xcalloc((size_t)sys.m, sizeof *sys.measured);
	memcpy(sys.measured, from->measured, (size_t)sys.m * sizeof *sys.measured);
	/* The names belong to the original, except the name of the floor. */
	sys.name[system_floor_unknown(&sys)] = NULL;
	return sys;
}

void
system_copy_free(struct system *sys)
{
	free(sys->name[system_floor_unknown(sys)]);
	free(sys->measured);
	free(sys->row);
}

void
system_drop(struct system *sys, int u)
{
	int n = 0;

	for (int j = 0; j < sys->n; j++)
		if (sys->unknown[j] != u)
			sys->unknown[n++] = sys->unknown[j];
	sys->n = n;
}

void
system_hold(struct system *sys, int u, double value)
{
	sys->held[u] = value;
	system_drop(sys, u);
}

void
system_tie(struct system *sys, int u, double times, double plus)
{
	for (int i = 0; i < sys->m; i++)
		sys->row[i][UNKNOWN_PARAMETER] += times * sys->row[i][u];
	sys->times[u] = times;
	sys->plus[u] = plus;
	system_drop(sys, u);
}

void
system_free(struct system *sys)
{
	for (int r = 0; r < sys->init->rounds; r++)
		for (int b = 0; b < sys->bodies.n; b++)
			for (int k = 0; k < RECOMPUTE_KINDS; k++)
				free(sys->count[r][b][k].at);
	for (int u = 0; u < UNKNOWNS_MAX; u++)
		free(sys->name[u]);
	free(sys->count);
	free(sys->measured);
	free(sys->row);
}
