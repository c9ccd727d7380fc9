#include "calibrate.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/alloc.h"
#include "lib/base/numbers.h"
#include "lib/base/positive.h"
#include "lib/estimate/estimator.h"
#include "lib/record/record.h"

/*
 * Error of a run, as a fraction. Expected change of a figure in its own scale, and the maximum. A figure counts as
 * determined if the runs leave at most half of that.
 */
#define RUN_ERROR 0.05
#define PRIOR 0.7
#define DETERMINED (3 / (PRIOR * PRIOR))
/* A run is an outlier if its logarithm differs this much from the others, and from their spread. */
#define OUTLIER 0.5
#define SPREADS 4
enum { FIGURES = 13, FRACTIONS = 10, DISPATCH = 8, LAUNCH = 11, EXPERT = 12, ROUNDS = 60 };

struct calibration_run {
	struct configuration of;
	double step_time;	/* ms */
	int network;
	bool outlier;
};

struct calibration_runs {
	int n, nnetworks;
	struct calibration_run *at;
	struct record *network;
};

static struct calibration_runs
runs_read(const char *file)
{
	char *const operands[] = { (char *)file, NULL };
	struct calibration_runs r = { 0 };
	struct reader in;
	struct record rec;

	reader_open(&in, operands, RECORDS(RECORD_NETWORK) | RECORDS(RECORD_RUN));
	while (reader_next(&in, &rec)) {
		if (rec.kind == RECORD_NETWORK) {
			*APPEND(r.network, r.nnetworks) = rec;
			continue;
		}
		if (rec.kind == RECORD_RUN) {
			if (r.nnetworks == 0)
				place_die(rec.place, "run: no network record before it");
			if (!GIVEN(training_run, &rec.run, step_time))
				place_die(rec.place, "run: missing member 'step_time'");
			r.at = xreallocarray(r.at, (size_t)r.n + 1, sizeof *r.at);
			r.at[r.n++] = (struct calibration_run){ rec.run.of, rec.run.step_time, r.nnetworks - 1, false };
			r.at[r.n - 1].of.name = r.at[r.n - 1].of.origin = NULL;
		}
		record_free(&rec);
	}
	reader_close(&in);
	if (r.n == 0)
		place_die((struct place){ .source = file }, "no run record in it");
	return r;
}

/* Figures are fitted in unbounded scales: fractions as log odds, others as logarithms. */
static double
odds(double x)
{
	x = fmin(fmax(x, 0.02), 0.98);
	return log(x / (1 - x));
}

static double
fraction(double z)
{
	return 1 / (1 + exp(-z));
}

static const char *const figure_names[FIGURES] = { "efficiency.matmul", "efficiency.attention", "efficiency.memory",
	"efficiency.network", "overlap.dp", "overlap.tp", "overlap.ep", "overlap.pp", "dispatch.alltoall[0]",
	"dispatch.alltoall[1]", "efficiency.size", "launch", "host.expert" };
/* Only these apply to links between nodes. */
static const bool between_nodes[FIGURES] = { [3] = true, [4] = true, [7] = true, [DISPATCH + 1] = true };

/* Get the places of a cluster's figures; NULL: absent. */
static void
places(struct cluster *c, double *at[FIGURES])
{
	double *const of[FIGURES] = { &c->efficiency.matmul, &c->efficiency.attention, &c->efficiency.memory,
		&c->efficiency.network, &c->overlap.dp, &c->overlap.tp, &c->overlap.ep, &c->overlap.pp, NULL, NULL,
		&c->efficiency.size, &c->launch, c->hosted ? &c->host.expert : NULL };

	memcpy(at, of, sizeof of);
	for (int i = 0; i < c->dispatch.alltoall.n; i++)
		at[DISPATCH + i] = &c->dispatch.alltoall.at[i];
}

static void
take_out(const struct cluster *c, double z[FIGURES])
{
	struct cluster there = *c;
	double *at[FIGURES];

	places(&there, at);
	for (int i = 0; i < FIGURES; i++)
		z[i] = at[i] == NULL ? 0 : i < FRACTIONS ? odds(*at[i]) : log(fmax(*at[i], i == EXPERT ? 1e-3 : 1));
}

/* Copy a cluster, with its dispatch fractions in DISPATCH[2]. */
static struct cluster
copy_to(const struct cluster *from, double dispatch[2])
{
	struct cluster c = *from;

	for (int i = 0; i < c.dispatch.alltoall.n; i++)
		dispatch[i] = c.dispatch.alltoall.at[i];
	if (c.dispatch.alltoall.n > 0)
		c.dispatch.alltoall.at = dispatch;
	return c;
}

/* Set FREE figures; keep the others exactly. */
static struct cluster
put_in(const struct cluster *before, const double z[FIGURES], const bool free_ones[FIGURES], double dispatch[2])
{
	struct cluster c = copy_to(before, dispatch);
	double *at[FIGURES];

	places(&c, at);
	for (int i = 0; i < FIGURES; i++)
		if (free_ones[i] && at[i] != NULL)
			*at[i] = i < FRACTIONS ? fraction(z[i]) : exp(z[i]);
	return c;
}

/* Compute the logarithms of estimate / measurement. */
static void
errors(const struct calibration_runs *r, const struct cluster *c, double *error)
{
	const struct estimating how = { .imbalance = 1, .measured = measured_none() };
	struct estimator *e = NULL;

	for (int i = 0, network = -1; i < r->n; i++) {
		if (r->at[i].network != network) {
			if (e != NULL)
				estimator_free(e);
			network = r->at[i].network;
			e = estimator_new(&r->network[network].network, c, &how);
		}
		error[i] = log(1e3 * estimate_briefly(e, &r->at[i].of).step_time / r->at[i].step_time);
	}
	estimator_free(e);
}

static double
loss(const struct calibration_runs *r, int without, const double *error, const double z[FIGURES],
    const double start[FIGURES])
{
	double all = 0;

	for (int i = 0; i < r->n; i++)
		if (!r->at[i].outlier && i != without)
			all += error[i] * error[i] / (RUN_ERROR * RUN_ERROR);
	for (int k = 0; k < FIGURES; k++)
		all += (z[k] - start[k]) * (z[k] - start[k]) / (PRIOR * PRIOR);
	return all;
}

/* Sum the products of slopes of all counted runs, in units of a run's error, and with the errors. */
static void
products(const struct calibration_runs *r, int without, const struct cluster *c, const double z[FIGURES],
    const double *error,
    double a[FIGURES][FIGURES], double b[FIGURES])
{
	static const bool all[FIGURES] = { true, true, true, true, true, true, true, true, true, true, true, true,
		true };
	double dispatch[2], *slope[FIGURES], *then = xcalloc((size_t)r->n, sizeof *then);

	memset(a, 0, FIGURES * sizeof *a);
	memset(b, 0, FIGURES * sizeof *b);
	for (int k = 0; k < FIGURES; k++) {
		double moved[FIGURES];
		struct cluster there;

		memcpy(moved, z, sizeof moved);
		there = put_in(c, moved, all, dispatch);
		slope[k] = xcalloc((size_t)r->n, sizeof *slope[k]);
		errors(r, &there, slope[k]);
		moved[k] += 1e-4;
		there = put_in(c, moved, all, dispatch);
		errors(r, &there, then);
		for (int i = 0; i < r->n; i++)
			slope[k][i] = (then[i] - slope[k][i]) / 1e-4 / RUN_ERROR;
	}
	free(then);
	for (int k = 0; k < FIGURES; k++)
		for (int i = 0; i < r->n; i++) {
			if (r->at[i].outlier || i == without)
				continue;
			for (int j = 0; j < FIGURES; j++)
				a[k][j] += slope[k][i] * slope[j][i];
			b[k] -= slope[k][i] * error[i] / RUN_ERROR;
		}
	for (int k = 0; k < FIGURES; k++)
		free(slope[k]);
}

/* Compute a Gauss-Newton step, with the fraction DAMPING added to the diagonal. */
static void
step(const struct calibration_runs *r, int without, const struct cluster *c, const double z[FIGURES],
    const double start[FIGURES],
    const bool free_ones[FIGURES], const double *error, double damping, double to[FIGURES])
{
	double a[FIGURES][FIGURES], b[FIGURES];

	products(r, without, c, z, error, a, b);
	for (int k = 0; k < FIGURES; k++) {
		a[k][k] += 1 / (PRIOR * PRIOR);
		b[k] -= (z[k] - start[k]) / (PRIOR * PRIOR);
		a[k][k] *= 1 + damping;
	}
	for (int k = 0; k < FIGURES; k++) {
		if (free_ones[k])
			continue;
		for (int j = 0; j < FIGURES; j++)
			a[k][j] = a[j][k] = k == j;
		b[k] = 0;
	}
	positive_solve(FIGURES, FIGURES, &a[0][0], b);
	for (int k = 0; k < FIGURES; k++)
		to[k] = fmin(fmax(z[k] + b[k], start[k] - PRIOR), start[k] + PRIOR);
}

/*
 * Select the figures that the runs determine: repeatedly the one that explains most of the remaining errors (forward
 * selection), up to the number of runs minus one.
 */
static void
determine(const struct calibration_runs *r, int without, const struct cluster *c, const double start[FIGURES],
    const double *error, bool free_ones[FIGURES])
{
	double a[FIGURES][FIGURES], b[FIGURES], row[FIGURES];
	int runs = 0;
	bool nodes = c->links.n < 2;

	for (int i = 0; i < r->n; i++)
		if (!r->at[i].outlier && i != without) {
			const struct configuration *of = &r->at[i].of;

			runs++;
			nodes |= (long long)of->dp * of->tp * of->pp * of->cp > c->devices_per_node;
		}
	products(r, without, c, start, error, a, b);
	memset(free_ones, 0, FIGURES * sizeof *free_ones);
	for (int chosen = 0; chosen < runs - 1 || (chosen == 0 && runs == 1); chosen++) {
		int most = -1;
		double explains = 0, of;

		for (int k = 0; k < FIGURES; k++) {
			double does = b[k] * b[k] / (a[k][k] + 1 / (PRIOR * PRIOR));

			if (free_ones[k] || (!nodes && between_nodes[k]) || a[k][k] < DETERMINED)
				continue;
			if (most < 0 || does > explains) {
				explains = does;
				most = k;
			}
		}
		if (most < 0)
			return;
		free_ones[most] = true;
		memcpy(row, a[most], sizeof row);
		of = row[most] + 1 / (PRIOR * PRIOR);
		for (int i = 0; i < FIGURES; i++) {
			for (int j = 0; j < FIGURES; j++)
				a[i][j] -= row[i] * row[j] / of;
			if (i != most)
				b[i] -= row[i] * b[most] / of;
		}
		b[most] = 0;
	}
}

/* Return the best cluster for all runs except outliers and WITHOUT (below 0: none), and the remaining errors. */
static struct cluster
fit(const struct calibration_runs *r, int without, const struct cluster *c, bool free_ones[FIGURES], double dispatch[2],
    double *now)
{
	double start[FIGURES], z[FIGURES], damping = 1e-2, best, *there = xcalloc((size_t)r->n, sizeof *there);
	struct cluster fitted = copy_to(c, dispatch);

	take_out(c, start);
	memcpy(z, start, sizeof z);
	errors(r, c, now);
	determine(r, without, c, start, now, free_ones);
	best = loss(r, without, now, z, start);
	for (int round = 0; round < ROUNDS && damping < 1e8; round++) {
		double next[FIGURES], next_loss, tried[2];
		struct cluster trial;

		step(r, without, c, z, start, free_ones, now, damping, next);
		trial = put_in(c, next, free_ones, tried);
		errors(r, &trial, there);
		next_loss = loss(r, without, there, next, start);
		damping *= next_loss < best ? 0.3 : 5;
		if (next_loss < best) {
			best = next_loss;
			memcpy(z, next, sizeof z);
			memcpy(now, there, (size_t)r->n * sizeof *now);
			fitted = copy_to(&trial, dispatch);
		}
	}
	free(there);
	return fitted;
}

static double
quantile(const double *error, int n, double share)
{
	double *sorted = xcalloc((size_t)n, sizeof *sorted), q;

	for (int i = 0; i < n; i++)
		sorted[i] = fabs(error[i]);
	numbers_sort(sorted, (size_t)n);
	q = sorted[(int)(share * (n - 1) + 0.5)];
	free(sorted);
	return q;
}

static double
median_of(const double *x, int n)
{
	double *sorted = xcalloc((size_t)n, sizeof *sorted), m;

	memcpy(sorted, x, (size_t)n * sizeof *sorted);
	numbers_sort(sorted, (size_t)n);
	m = (sorted[(n - 1) / 2] + sorted[n / 2]) / 2;
	free(sorted);
	return m;
}

/* Find runs far from the rest; with one or two runs, far from the cluster. */
static void
find_outliers(struct calibration_runs *r, const double *error)
{
	double middle = r->n > 2 ? median_of(error, r->n) : 0, *off = xcalloc((size_t)r->n, sizeof *off), limit;

	for (int i = 0; i < r->n; i++)
		off[i] = fabs(error[i] - middle);
	limit = r->n > 2 ? fmax(OUTLIER, SPREADS * median_of(off, r->n)) : log(2);
	for (int i = 0; i < r->n; i++)
		r->at[i].outlier = off[i] > limit;
	free(off);
}

static void
say_figures(FILE *said, const struct cluster *c, const struct cluster *fitted, const bool free_ones[FIGURES])
{
	struct cluster of[] = { *c, *fitted };
	double *at[2][FIGURES];
	int stay = 0;

	places(&of[0], at[0]);
	places(&of[1], at[1]);
	fprintf(said, "%-22s %10s %10s\n", "figure", "before", "after");
	for (int k = 0; k < FIGURES; k++) {
		if (free_ones[k])
			fprintf(said, "%-22s %10.4g %10.4g\n", figure_names[k], *at[0][k], *at[1][k]);
		stay += !free_ones[k] && at[0][k] != NULL;
	}
	if (stay > 0)
		fprintf(said, "not determined by these runs, as before:");
	for (int k = 0; k < FIGURES; k++)
		if (!free_ones[k] && at[0][k] != NULL)
			fprintf(said, " %s", figure_names[k]);
	fprintf(said, "%s\n", stay > 0 ? "" : "all are determined");
}

void
calibrate(const char *file, const struct cluster *c, FILE *out, FILE *said)
{
	struct calibration_runs r = runs_read(file);
	double *before = xcalloc((size_t)r.n, sizeof *before), *now = xcalloc((size_t)r.n, sizeof *now);
	double *there = xcalloc((size_t)r.n, sizeof *there), dispatch[2], other[2];
	bool free_ones[FIGURES], others[FIGURES];
	struct cluster fitted;
	int outliers = 0;

	errors(&r, c, before);
	find_outliers(&r, before);
	fitted = fit(&r, -1, c, free_ones, dispatch, now);
	say_figures(said, c, &fitted, free_ones);
	fprintf(said, "%5s %12s %10s %10s %10s\n", "run", "measured ms", "before", "after", "left out");
	for (int i = 0; i < r.n; i++) {
		fit(&r, i, c, others, other, there);
		fprintf(said, "%5d %12.1f %+9.1f%% %+9.1f%% %+9.1f%%%s\n", i + 1, r.at[i].step_time,
		    100 * expm1(before[i]), 100 * expm1(now[i]), 100 * expm1(there[i]),
		    r.at[i].outlier ? " outlier, nothing is fitted to it" : "");
		outliers += r.at[i].outlier;
	}
	fprintf(said, "median %23.3f %10.3f\n90 %% %25.3f %10.3f\n", quantile(before, r.n, 0.5),
	    quantile(now, r.n, 0.5), quantile(before, r.n, 0.9), quantile(now, r.n, 0.9));
	GIVE(cluster, &fitted, fitted, xasprintf("%d runs, from %s: median error %.3f, was %.3f", r.n - outliers,
	    c->name, quantile(now, r.n, 0.5), quantile(before, r.n, 0.5)));
	if (free_ones[LAUNCH])
		GIVE(cluster, &fitted, launch, fitted.launch);
	fitted.overlap.given |= ~(uint64_t)0 >> 60;
	fitted.efficiency.given |= ~(uint64_t)0 >> 59;
	GIVE(cluster, &fitted, overlap, fitted.overlap);
	if (out != NULL)
		record_put(out, RECORD_CLUSTER, &fitted);
	free(fitted.fitted);
	for (int i = 0; i < r.nnetworks; i++)
		record_free(&r.network[i]);
	free(r.at);
	free(r.network);
	free(before);
	free(now);
	free(there);
}
