/* A cluster's efficiency from measured steps. */
#include "calibrate.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/alloc.h"
#include "lib/base/numbers.h"
#include "lib/record/line.h"
#include "lib/record/record.h"
#include "lib/strategy/estimator.h"

/* A run is as good as this fraction, and a figure may be this far from what it was, in its own scale. */
#define RUN_ERROR 0.05
#define PRIOR 0.7
enum { FIGURES = 10, ROUNDS = 60 };

struct run {
	uint64_t given;
	struct configuration of;
	double step_time;	/* ms */
	int network;
};

#define OF(member, opt, sgn) { .name = #member, .type = FIELD_TYPE(configuration, member), \
	.offset = offsetof(struct run, of.member), .optional = opt, .sign = sgn }
#define OF_CHOICE(member, nms) { .name = #member, .type = FIELD_ENUM, .offset = offsetof(struct run, of.member), \
	.optional = true, .names = nms }
static const struct field run_field[] = {
	OF(name, true, ANY), OF(origin, true, ANY), OF(dp, false, POSITIVE), OF(tp, false, POSITIVE),
	OF(cp, true, POSITIVE),
	OF(pp, false, POSITIVE), OF(ep, true, POSITIVE), OF(etp, true, POSITIVE), OF(zero, true, NONNEGATIVE),
	OF(shard, true, POSITIVE), OF(vp, true, POSITIVE), OF(mbs, true, POSITIVE), OF(micro_batches, false, POSITIVE),
	OF(sp, true, ANY), OF_CHOICE(cp_kind, context_names), OF_CHOICE(schedule, order_names),
	OF_CHOICE(recompute, recomputation_names),
	REQUIRED(run, step_time, POSITIVE),
};
static const struct fields run_fields = FIELDS(run, "run");

struct runs {
	int n, nnetworks;
	struct run *at;
	struct record *network;
};

/* Members of a run are those of a candidate, which has its own defaults for what is missing. */
static void
complete(struct run *r, struct place at)
{
	for (int i = 0; i < run_fields.n; i++)
		for (int k = 0; k < configuration_fields.n; k++)
			if ((r->given >> i & 1) && strcmp(run_field[i].name, configuration_fields.field[k].name) == 0)
				r->of.given |= (uint64_t)1 << k;
	configuration_check(&r->of, at);
}

static struct runs
runs_read(const char *file)
{
	char *const operands[] = { (char *)file, NULL };
	struct runs r = { 0 };
	struct reader in;
	struct record rec;

	reader_open(&in, operands, RECORDS(RECORD_NETWORK));
	while (reader_next(&in, &rec)) {
		if (rec.kind == RECORD_NETWORK) {
			r.network = xreallocarray(r.network, (size_t)r.nnetworks + 1, sizeof *r.network);
			r.network[r.nnetworks++] = rec;
			continue;
		}
		if (strstr(rec.text, "\"run\"") != NULL) {
			json_t *object = json_loads(rec.text, JSON_REJECT_DUPLICATES, NULL);

			if (r.nnetworks == 0)
				place_die(rec.place, "run: no network record before it");
			r.at = xreallocarray(r.at, (size_t)r.n + 1, sizeof *r.at);
			r.at[r.n] = (struct run){ .network = r.nnetworks - 1 };
			fields_get(&run_fields, &r.at[r.n], object, rec.place);
			complete(&r.at[r.n++], rec.place);
			json_decref(object);
		}
		record_free(&rec);
	}
	reader_close(&in);
	if (r.n == 0)
		place_die((struct place){ .source = file }, "no run record in it");
	return r;
}

/* Figures are fitted in a scale where each may be anything: fractions as log odds, others as logarithms. */
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

static void
take_out(const struct cluster *c, double z[FIGURES])
{
	const double fractions[] = { c->efficiency.matmul, c->efficiency.attention, c->efficiency.memory,
	    c->efficiency.network,
		c->overlap.dp, c->overlap.tp, c->overlap.ep, c->overlap.pp };

	for (int i = 0; i < 8; i++)
		z[i] = odds(fractions[i]);
	z[8] = log(fmax(c->efficiency.size, 1));
	z[9] = log(fmax(c->launch, 1));
}

static struct cluster
put_in(const struct cluster *before, const double z[FIGURES])
{
	struct cluster c = *before;

	c.efficiency.matmul = fraction(z[0]);
	c.efficiency.attention = fraction(z[1]);
	c.efficiency.memory = fraction(z[2]);
	c.efficiency.network = fraction(z[3]);
	c.overlap.dp = fraction(z[4]);
	c.overlap.tp = fraction(z[5]);
	c.overlap.ep = fraction(z[6]);
	c.overlap.pp = fraction(z[7]);
	c.efficiency.size = exp(z[8]);
	c.launch = exp(z[9]);
	return c;
}

/* Logarithms of estimate over measurement. */
static void
errors(const struct runs *r, const struct cluster *c, double *error)
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
loss(const struct runs *r, const double *error, const double z[FIGURES], const double start[FIGURES])
{
	double all = 0;

	for (int i = 0; i < r->n; i++)
		all += error[i] * error[i] / (RUN_ERROR * RUN_ERROR);
	for (int k = 0; k < FIGURES; k++)
		all += (z[k] - start[k]) * (z[k] - start[k]) / (PRIOR * PRIOR);
	return all;
}

/* Solve A x = b, A positive definite, in place; the answer is in b. */
static void
solve(double a[FIGURES][FIGURES], double b[FIGURES])
{
	for (int i = 0; i < FIGURES; i++)
		for (int k = i + 1; k < FIGURES; k++) {
			double f = a[k][i] / a[i][i];

			for (int j = i; j < FIGURES; j++)
				a[k][j] -= f * a[i][j];
			b[k] -= f * b[i];
		}
	for (int i = FIGURES - 1; i >= 0; i--) {
		for (int j = i + 1; j < FIGURES; j++)
			b[i] -= a[i][j] * b[j];
		b[i] /= a[i][i];
	}
}

/* A step of Gauss and Newton, with a fraction DAMPING more on the diagonal. */
static void
step(const struct runs *r, const struct cluster *c, const double z[FIGURES], const double start[FIGURES],
    const double *error,
    double damping, double to[FIGURES])
{
	double a[FIGURES][FIGURES] = { { 0 } }, b[FIGURES] = { 0 };
	double *slope[FIGURES];

	for (int k = 0; k < FIGURES; k++) {
		double moved[FIGURES];
		struct cluster there;

		memcpy(moved, z, sizeof moved);
		moved[k] += 1e-4;
		there = put_in(c, moved);
		slope[k] = xcalloc((size_t)r->n, sizeof *slope[k]);
		errors(r, &there, slope[k]);
		for (int i = 0; i < r->n; i++)
			slope[k][i] = (slope[k][i] - error[i]) / 1e-4 / RUN_ERROR;
	}
	for (int k = 0; k < FIGURES; k++) {
		for (int j = 0; j < FIGURES; j++)
			for (int i = 0; i < r->n; i++)
				a[k][j] += slope[k][i] * slope[j][i];
		for (int i = 0; i < r->n; i++)
			b[k] -= slope[k][i] * error[i] / RUN_ERROR;
		a[k][k] += 1 / (PRIOR * PRIOR);
		b[k] -= (z[k] - start[k]) / (PRIOR * PRIOR);
	}
	for (int k = 0; k < FIGURES; k++) {
		a[k][k] *= 1 + damping;
		free(slope[k]);
	}
	solve(a, b);
	for (int k = 0; k < FIGURES; k++)
		to[k] = z[k] + b[k];
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

void
calibrate(const char *file, const struct cluster *c, FILE *out, FILE *said)
{
	struct runs r = runs_read(file);
	double start[FIGURES], z[FIGURES], damping = 1e-2, best;
	double *before = xcalloc((size_t)r.n, sizeof *before), *now = xcalloc((size_t)r.n, sizeof *now);
	struct cluster fitted;

	take_out(c, start);
	memcpy(z, start, sizeof z);
	fitted = put_in(c, z);
	errors(&r, c, before);
	errors(&r, &fitted, now);
	best = loss(&r, now, z, start);
	for (int round = 0; round < ROUNDS && damping < 1e8; round++) {
		double next[FIGURES], *there = xcalloc((size_t)r.n, sizeof *there), now_loss;
		struct cluster trial;

		step(&r, c, z, start, now, damping, next);
		trial = put_in(c, next);
		errors(&r, &trial, there);
		now_loss = loss(&r, there, next, start);
		damping *= now_loss < best ? 0.3 : 5;
		if (now_loss < best) {
			best = now_loss;
			memcpy(z, next, sizeof z);
			memcpy(now, there, (size_t)r.n * sizeof *now);
			fitted = trial;
		}
		free(there);
	}
	GIVE(cluster, &fitted, fitted, xasprintf("%d runs, from %s: median error %.3f, was %.3f", r.n, c->name,
	    quantile(now, r.n, 0.5), quantile(before, r.n, 0.5)));
	GIVE(cluster, &fitted, launch, fitted.launch);
	fitted.overlap.given = ~(uint64_t)0 >> 60;
	fitted.efficiency.given = ~(uint64_t)0 >> 59;
	GIVE(cluster, &fitted, overlap, fitted.overlap);
	fprintf(said, "%5s %12s %10s %10s\n", "run", "measured ms", "before", "after");
	for (int i = 0; i < r.n; i++)
		fprintf(said, "%5d %12.1f %+9.1f%% %+9.1f%%\n", i + 1, r.at[i].step_time, 100 * expm1(before[i]),
		    100 * expm1(now[i]));
	fprintf(said, "median %23.3f %10.3f\n90 %% %25.3f %10.3f\n", quantile(before, r.n, 0.5),
	    quantile(now, r.n, 0.5), quantile(before, r.n, 0.9), quantile(now, r.n, 0.9));
	record_put(out, RECORD_CLUSTER, &fitted);
	free(fitted.fitted);
	for (int i = 0; i < r.n; i++)
		fields_free(&run_fields, &r.at[i]);
	for (int i = 0; i < r.nnetworks; i++)
		record_free(&r.network[i]);
	free(r.at);
	free(r.network);
	free(before);
	free(now);
}
