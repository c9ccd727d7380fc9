#include "calibrate.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/alloc.h"
#include "lib/base/numbers.h"
#include "lib/base/positive.h"
#include "lib/estimate/estimator.h"
#include "lib/record/device_operator.h"
#include "lib/record/record.h"
#include "calibrated.h"
#include "calibration_runs.h"

#define RUN_ERROR 0.05		/* relative error of a measured run */
/* Number of runs from which the figures of a cluster are no longer marked "borrowed". */
#define RUNS_FITTED 6
/* Runs agree on a common factor if the logarithms of all errors exceed this value, and half of the largest. */
#define AGREE 0.25
enum { ROUNDS = 60 };

/* Compute the logarithm of estimate / measurement of each run. */
static void
errors(const struct calibration_runs *r, const struct calibrated *s, double *error)
{
	const struct estimating how = { .imbalance = 1, .measured = s->m };
	struct estimator *e = NULL;

	for (int i = 0, network = -1; i < r->n; i++) {
		if (r->at[i].network != network) {
			if (e != NULL)
				estimator_free(e);
			network = r->at[i].network;
			e = estimator_new(&r->network[network].network, &s->c, &how);
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
		all += (z[k] - start[k]) * (z[k] - start[k]) * figure_weight(k);
	return all;
}

/*
 * Compute the sums of products of slopes over all counted runs, in units of a run's error, and of slopes with errors.
 * WITHOUT: a run not counted; below 0: none.
 */
static void
products(const struct calibration_runs *r, int without, const struct calibrated *s, const double z[FIGURES],
    const double *error, double a[FIGURES][FIGURES], double b[FIGURES])
{
	double moved[FIGURES], *slope[FIGURES], *now = xcalloc((size_t)r->n, sizeof *now);
	struct calibrated there;
	bool all[FIGURES];

	memset(all, true, sizeof all);
	memset(a, 0, FIGURES * sizeof *a);
	memset(b, 0, FIGURES * sizeof *b);
	memcpy(moved, z, sizeof moved);
	calibrated_set(&there, s, moved, all);
	errors(r, &there, now);
	for (int k = 0; k < FIGURES; k++) {
		moved[k] += 1e-4;
		calibrated_set(&there, s, moved, all);
		moved[k] = z[k];
		slope[k] = xcalloc((size_t)r->n, sizeof *slope[k]);
		errors(r, &there, slope[k]);
		for (int i = 0; i < r->n; i++)
			slope[k][i] = (slope[k][i] - now[i]) / 1e-4 / RUN_ERROR;
	}
	free(now);
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

/* Compute a Gauss-Newton step. The fraction DAMPING is added to the diagonal. */
static void
step(const struct calibration_runs *r, int without, const struct calibrated *s, const double z[FIGURES],
    const double start[FIGURES], const bool free_ones[FIGURES], const double *error, double damping,
    double to[FIGURES])
{
	double a[FIGURES][FIGURES], b[FIGURES];

	products(r, without, s, z, error, a, b);
	for (int k = 0; k < FIGURES; k++) {
		a[k][k] += figure_weight(k);
		b[k] -= (z[k] - start[k]) * figure_weight(k);
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
		to[k] = fmin(fmax(z[k] + b[k], start[k] - figure_prior(k)), start[k] + figure_prior(k));
}

/* Return whether at least two runs are off by nearly the same factor, which is too large for a single figure. */
static bool
agree(const struct calibration_runs *r, int without, const double *error)
{
	double least = INFINITY, most = -INFINITY;
	int runs = 0;

	for (int i = 0; i < r->n; i++)
		if (!r->at[i].outlier && i != without) {
			least = fmin(least, error[i]);
			most = fmax(most, error[i]);
			runs++;
		}
	if (most < 0) {
		double high = -least;

		least = -most;
		most = high;
	}
	return runs > 1 && least > AGREE && least > most / 2;
}

/*
 * Select the figures that the runs determine, at most the number of runs minus one. If the runs agree, the first figure
 * selected is a factor of all speeds. Then select, repeatedly, the figure that explains most of the remaining errors
 * (forward selection). The figures of a table of operators are always fitted.
 */
static void
determine(const struct calibration_runs *r, int without, const struct calibrated *s, const double start[FIGURES],
    const double *error, bool free_ones[FIGURES])
{
	double a[FIGURES][FIGURES], b[FIGURES], row[FIGURES];
	int runs = 0;
	bool common = agree(r, without, error);

	memset(free_ones, 0, FIGURES * sizeof *free_ones);
	if (!operator_table_empty(&s->m.operators)) {
		free_ones[FIGURE_GAP] = free_ones[FIGURE_SUSTAIN] = true;
		return;
	}

	for (int i = 0; i < r->n; i++)
		runs += !r->at[i].outlier && i != without;
	products(r, without, s, start, error, a, b);
	for (int chosen = 0; chosen < runs - 1 || (chosen == 0 && runs == 1); chosen++) {
		int most = -1;
		double explains = 0, of;

		for (int k = 0; k < FIGURES; k++) {
			double does = b[k] * b[k] / (a[k][k] + figure_weight(k));

			if (free_ones[k] || (!s->nodes && figure_between_nodes[k]) || a[k][k] < 3 * figure_weight(k) ||
			    (k == FIGURE_COMMON && !common))
				continue;
			if (most < 0 || does > explains || (k == FIGURE_COMMON && common)) {
				explains = does;
				most = k;
			}
		}
		if (most < 0)
			return;
		free_ones[most] = true;
		memcpy(row, a[most], sizeof row);
		of = row[most] + figure_weight(most);
		for (int i = 0; i < FIGURES; i++) {
			for (int j = 0; j < FIGURES; j++)
				a[i][j] -= row[i] * row[j] / of;
			if (i != most)
				b[i] -= row[i] * b[most] / of;
		}
		b[most] = 0;
	}
}

/*
 * Fit the figures to all runs except outliers and the run WITHOUT (below 0: none). Get the remaining errors, and the
 * distance of the figures from S in units of their maximum.
 */
static void
fit(struct calibrated *fitted, const struct calibration_runs *r, int without, const struct calibrated *s,
    bool free_ones[FIGURES], double *now, double far[FIGURES])
{
	double start[FIGURES], z[FIGURES], damping = 1e-2, best, *there = xcalloc((size_t)r->n, sizeof *there);

	calibrated_copy(fitted, s);
	calibrated_get(s, start);
	memcpy(z, start, sizeof z);
	errors(r, s, now);
	determine(r, without, s, start, now, free_ones);
	best = loss(r, without, now, z, start);
	for (int round = 0; round < ROUNDS && damping < 1e8; round++) {
		double next[FIGURES], next_loss;
		struct calibrated trial;

		step(r, without, s, z, start, free_ones, now, damping, next);
		calibrated_set(&trial, s, next, free_ones);
		errors(r, &trial, there);
		next_loss = loss(r, without, there, next, start);
		damping *= next_loss < best ? 0.3 : 5;
		if (next_loss < best) {
			best = next_loss;
			memcpy(z, next, sizeof z);
			memcpy(now, there, (size_t)r->n * sizeof *now);
			calibrated_copy(fitted, &trial);
		}
	}
	for (int k = 0; k < FIGURES; k++)
		far[k] = free_ones[k] ? (z[k] - start[k]) / figure_prior(k) : 0;
	free(there);
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

static void
say_figures(FILE *said, const struct calibrated *s, const struct calibrated *fitted, const bool free_ones[FIGURES],
    const double far[FIGURES])
{
	struct calibrated of[] = { *s, *fitted };
	double *at[2][FIGURES], one = 1, common = exp(far[FIGURE_COMMON] * PRIOR_COMMON);
	int stay = 0;

	calibrated_places(&of[0], at[0]);
	calibrated_places(&of[1], at[1]);
	at[0][FIGURE_COMMON] = free_ones[FIGURE_COMMON] ? &one : NULL;
	at[1][FIGURE_COMMON] = &common;
	fprintf(said, "%-22s %10s %10s\n", "figure", "before", "after");
	for (int k = 0; k < FIGURES; k++) {
		if (free_ones[k])
			fprintf(said, "%-22s %10.4g %10.4g%s\n", figure_names[k], *at[0][k], *at[1][k],
			    fabs(far[k]) > 0.999 ? " at its limit: the runs would fit better beyond it" : "");
		stay += !free_ones[k] && at[0][k] != NULL;
	}
	/* The common factor cannot grow once a fraction is 1. */
	for (int k = 0; k < FIGURE_FRACTIONS && free_ones[FIGURE_COMMON]; k++)
		if (at[1][k] != NULL && *at[1][k] == 1 && *at[0][k] < 1)
			fprintf(said, "%-22s %10.4g %10.4g at its limit: the runs would fit better beyond it\n",
			    figure_names[k],
			    *at[0][k], *at[1][k]);
	if (stay > 0)
		fprintf(said, "not determined by these runs, unchanged:");
	for (int k = 0; k < FIGURES; k++)
		if (!free_ones[k] && at[0][k] != NULL)
			fprintf(said, " %s", figure_names[k]);
	fprintf(said, "%s\n", stay > 0 ? free_ones[FIGURE_COMMON] ? " except for the common factor" : "" :
	    "all figures are determined");
}

/* Write the fitted cluster, or the fitted figures of a table of operators. */
static void
write_fitted(FILE *out, const struct calibrated *fitted, const bool free_ones[FIGURES], int runs)
{
	struct cluster c = fitted->c;

	if (!operator_table_empty(&fitted->m.operators)) {
		const struct operator_table *t = &fitted->m.operators;

		for (int i = 0; i < 2; i++)
			fprintf(out, "{\"kind\":\"coefficient\",\"of\":\"%s\",\"terms\":[{\"value\":%.6g,"
			    "\"exponents\":{}}],\"source\":\"fitted\",\"runs\":%d}\n", i == 0 ? "gap" : "sustain",
			    i == 0 ? t->gap : t->sustain, runs);
		return;
	}
	if (free_ones[FIGURE_LAUNCH] || free_ones[FIGURE_COMMON])
		GIVE(cluster, &c, launch, c.launch);
	if (runs >= RUNS_FITTED)
		GIVE(cluster, &c, confidence, CONFIDENCE_FITTED);
	c.overlap.given |= ~(uint64_t)0 >> 60;
	c.efficiency.given |= ~(uint64_t)0 >> 59;
	GIVE(cluster, &c, overlap, c.overlap);
	record_put(out, RECORD_CLUSTER, &c);
}

void
calibrate(const char *file, struct inputs *in, const struct measured *m, FILE *out, FILE *said)
{
	struct calibration_runs r = calibration_runs_read(file, in);
	double *before = xcalloc((size_t)r.n, sizeof *before), *now = xcalloc((size_t)r.n, sizeof *now);
	double *there = xcalloc((size_t)r.n, sizeof *there), far[FIGURES], other_far[FIGURES];
	bool free_ones[FIGURES], others[FIGURES];
	struct calibrated s = { .c = *inputs_cluster(in), .m = *m }, fitted, other;
	int outliers = 0;

	/* A table has matrix products of 16 bits only. */
	if (in->compute != TYPE_BF16 && in->compute != TYPE_FP16)
		s.m.operators = operator_table_none();
	s.nodes = s.c.links.n < 2;
	for (int i = 0; i < r.n; i++)
		s.nodes |= configuration_devices(&r.at[i].of) > s.c.devices_per_node;
	for (int i = 0; i < s.c.dispatch.alltoall.n; i++)
		s.dispatch[i] = s.c.dispatch.alltoall.at[i];
	calibrated_copy(&s, &s);
	errors(&r, &s, before);
	calibration_runs_find_outliers(&r, before);
	fit(&fitted, &r, -1, &s, free_ones, now, far);
	say_figures(said, &s, &fitted, free_ones, far);
	fprintf(said, "%5s %12s %10s %10s %10s\n", "run", "measured ms", "before", "after", "left out");
	for (int i = 0; i < r.n; i++) {
		fit(&other, &r, i, &s, others, there, other_far);
		fprintf(said, "%5d %12.1f %+9.1f%% %+9.1f%% %+9.1f%%%s\n", i + 1, r.at[i].step_time,
		    100 * expm1(before[i]), 100 * expm1(now[i]), 100 * expm1(there[i]),
		    r.at[i].outlier ? " outlier, ignored in the fit" : "");
		outliers += r.at[i].outlier;
	}
	fprintf(said, "median %23.3f %10.3f\n90 %% %25.3f %10.3f\n", quantile(before, r.n, 0.5),
	    quantile(now, r.n, 0.5), quantile(before, r.n, 0.9), quantile(now, r.n, 0.9));
	GIVE(cluster, &fitted.c, fitted, xasprintf("%d runs, starting from %s: median error %.3f, before %.3f",
	    r.n - outliers,
	    s.c.name, quantile(now, r.n, 0.5), quantile(before, r.n, 0.5)));
	if (out != NULL)
		write_fitted(out, &fitted, free_ones, r.n - outliers);
	free(fitted.c.fitted);
	calibration_runs_free(&r);
	free(before);
	free(now);
	free(there);
}
