#include "operator_law.h"

#include <math.h>
#include <string.h>

#include "lib/base/alloc.h"
#include "lib/base/positive.h"

#define MILLI 1e3
#define SOFT 0.1	/* relative error above which a residual's loss grows linearly instead of quadratically */
enum { ROUNDS = 200 };

/* Indices of figure[] for each law. */
enum { MATMUL_EFFICIENCY, MATMUL_MEMORY, MATMUL_START, MATMUL_SIDE, MATMUL_DEPTH };
enum { GROUPED_EFFICIENCY, GROUPED_MEMORY, GROUPED_LAUNCH, GROUPED_ROWS };
enum { ATTENTION_EFFICIENCY, ATTENTION_START, ATTENTION_WIDTH };

static const struct {
	int n;
	double begin[LAW_FIGURES];	/* figures at which the fit begins */
} laws[] = {
	[OPERATOR_MATMUL] = { 5, { 0.6, 0.6, 0.002, 30, 50 } },
	[OPERATOR_GROUPED] = { 4, { 0.5, 0.7, 0.003, 40 } },
	[OPERATOR_ATTENTION] = { 3, { 0.8, 0.01, 50 } },
};

int
operator_law_figures(int op)
{
	return laws[op].n;
}

struct operator_law
operator_law_ideal(int op)
{
	struct operator_law l = { .figure = { 1, 1 } };

	if (op == OPERATOR_ATTENTION)
		l.figure[ATTENTION_START] = 0;
	return l;
}

static double
smooth_maximum(double a, double b)
{
	return sqrt(sqrt(a * a * a * a + b * b * b * b));
}

double
operator_law_time(const struct operator_law *l, const struct operator_key *k, struct device_peaks peak)
{
	const double *f = l->figure;
	double operations = MILLI * operator_operations(k) / peak.operations;
	double bytes = MILLI * operator_bytes(k) / peak.bandwidth;
	double m = (double)k->size[PRODUCT_M], n = (double)k->size[PRODUCT_N], depth = (double)k->size[PRODUCT_K];

	if (k->op == OPERATOR_MATMUL)
		return f[MATMUL_START] + smooth_maximum(operations / f[MATMUL_EFFICIENCY] * (1 + f[MATMUL_SIDE] / m) *
		    (1 + f[MATMUL_SIDE] / n) * (1 + f[MATMUL_DEPTH] / depth), bytes / f[MATMUL_MEMORY]);
	if (k->op == OPERATOR_GROUPED)
		return f[GROUPED_LAUNCH] * (double)k->size[PRODUCT_GROUPS] + smooth_maximum(operations /
		    f[GROUPED_EFFICIENCY] * (1 + f[GROUPED_ROWS] / m), bytes / f[GROUPED_MEMORY]);
	return f[ATTENTION_START] + operations / f[ATTENTION_EFFICIENCY] * (1 + f[ATTENTION_WIDTH] /
	    ((double)k->size[ATTENTION_BATCH] * (double)k->size[ATTENTION_HEADS] *
	    ceil((double)k->size[ATTENTION_SEQ] / 256)));
}

struct law_fit {
	const struct operator_key *key;
	const double *time;
	size_t n;
	struct device_peaks peak;
	int figures;
};

/* Compute the logarithms of time by the law / measured time. The figures are exp(Z). */
static void
residuals(const struct law_fit *f, const double z[LAW_FIGURES], double *r)
{
	struct operator_law l = { 0 };

	for (int i = 0; i < f->figures; i++)
		l.figure[i] = exp(z[i]);
	for (size_t i = 0; i < f->n; i++)
		r[i] = log(operator_law_time(&l, &f->key[i], f->peak) / f->time[i]);
}

static double
soft_loss(const double *r, size_t n)
{
	double sum = 0;

	for (size_t i = 0; i < n; i++)
		sum += sqrt(1 + r[i] * r[i] / (SOFT * SOFT)) - 1;
	return sum;
}

/* Compute a Gauss-Newton step from Z to TO, with DAMPING on the diagonal. The soft loss determines the weights. */
static void
step(const struct law_fit *f, const double z[LAW_FIGURES], const double *r, double *moved, double damping,
    double to[LAW_FIGURES])
{
	double a[LAW_FIGURES][LAW_FIGURES] = { 0 }, b[LAW_FIGURES] = { 0 };

	for (int k = 0; k < f->figures; k++) {
		double there[LAW_FIGURES];

		memcpy(there, z, sizeof there);
		there[k] += 1e-5;
		residuals(f, there, moved + (size_t)k * f->n);
	}
	for (size_t i = 0; i < f->n; i++) {
		double weight = 1 / sqrt(1 + r[i] * r[i] / (SOFT * SOFT)), slope[LAW_FIGURES];

		for (int k = 0; k < f->figures; k++)
			slope[k] = (moved[(size_t)k * f->n + i] - r[i]) / 1e-5;
		for (int k = 0; k < f->figures; k++) {
			for (int j = 0; j < f->figures; j++)
				a[k][j] += weight * slope[k] * slope[j];
			b[k] -= weight * slope[k] * r[i];
		}
	}
	for (int k = 0; k < f->figures; k++)
		a[k][k] += damping * (a[k][k] + 1e-6);
	positive_solve(f->figures, LAW_FIGURES, &a[0][0], b);
	for (int k = 0; k < f->figures; k++)
		to[k] = z[k] + fmin(fmax(b[k], -1), 1);
}

struct operator_law
operator_law_fit(const struct operator_key key[], const double time[], size_t n, struct device_peaks peak)
{
	struct law_fit f = { key, time, n, peak, laws[key[0].op].n };
	double z[LAW_FIGURES], damping = 1e-3, *r = xcalloc(n, sizeof *r), *there = xcalloc(n, sizeof *there), best;
	double *moved = xcalloc(n * (size_t)f.figures, sizeof *moved);
	struct operator_law l = { 0 };

	for (int i = 0; i < f.figures; i++)
		z[i] = log(laws[key[0].op].begin[i]);
	residuals(&f, z, r);
	best = soft_loss(r, n);
	for (int round = 0; round < ROUNDS && damping < 1e8; round++) {
		double next[LAW_FIGURES], loss;

		step(&f, z, r, moved, damping, next);
		residuals(&f, next, there);
		loss = soft_loss(there, n);
		damping *= loss < best ? 0.3 : 4;
		if (!(loss < best))
			continue;
		memcpy(z, next, sizeof z);
		memcpy(r, there, n * sizeof *r);
		if (best - loss < 1e-9 * best)
			break;
		best = loss;
	}
	for (int i = 0; i < f.figures; i++)
		l.figure[i] = exp(z[i]);
	free(moved);
	free(there);
	free(r);
	return l;
}
