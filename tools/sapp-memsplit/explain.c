#include "explain.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/alloc.h"
#include "lib/base/memstream.h"

enum { MAX_TRIED = 64 };	/* maximum number of stages tried */
static const double mixed = 1e-6;	/* minimum component in the null space that counts */

static double
null_at(const struct leastsquares *f, int i, int j)
{
	return f->null[(size_t)i * (size_t)f->n + (size_t)j];
}

/* Print the groups of unknowns that share a direction of the null space. */
static void
groups(FILE *out, const struct split *s)
{
	const struct leastsquares *f = &s->fit;
	bool done[UNKNOWNS_MAX] = { false };

	for (int first = 0; first < f->n; first++) {
		int member[UNKNOWNS_MAX], n = 0;

		if (done[first] || null_at(f, first, first) < mixed)
			continue;
		member[n++] = first;
		done[first] = true;
		for (int i = 0; i < n; i++)
			for (int j = 0; j < f->n; j++)
				if (!done[j] && fabs(null_at(f, member[i], j)) > mixed) {
					member[n++] = j;
					done[j] = true;
				}
		fprintf(out, "  %s", s->system->name[s->system->unknown[member[0]]]);
		for (int i = 1; i < n; i++)
			fprintf(out, "%s%s", i == n - 1 ? " and " : ", ",
			    s->system->name[s->system->unknown[member[i]]]);
		fputs(n == 1 ? ": no measurement determines it separately\n" : " cannot be separated\n",
		    out);
	}
}

struct explained_candidate {
	int stage, layers, kind, recomputed;
	double gain;		/* norm of the row's projection on the null space */
	double row[UNKNOWNS_MAX];	/* coefficients of the unknowns, scaled */
	double image[UNKNOWNS_MAX];	/* projection matrix times row */
};

static double
null_image(const double *null, int n, const double *row, double *image)
{
	double inside = 0, whole = 0;

	for (int i = 0; i < n; i++) {
		image[i] = 0;
		for (int j = 0; j < n; j++)
			image[i] += null[i * n + j] * row[j];
		inside += image[i] * image[i];
		whole += row[i] * row[i];
	}
	return whole > 0 ? inside / whole : 0;
}

static void
try(const struct system *sys, const double *null, const double *scale, struct explained_candidate c,
    struct explained_candidate *best)
{
	int count[RECOMPUTE_KINDS] = { 0 };
	double row[UNKNOWNS_MAX] = { 0 };

	count[RECOMPUTE_NONE] = c.layers - c.recomputed;
	count[c.kind] += c.recomputed;
	system_row(sys, c.stage, 0, count, row);
	for (int j = 0; j < sys->n; j++)
		c.row[j] = row[sys->unknown[j]] / scale[j];
	c.gain = null_image(null, sys->n, c.row, c.image);
	/* If the gain is equal, prefer the run with fewer changes. */
	if (c.gain > best->gain * 1.05 + mixed)
		*best = c;
}

static bool
takes_part(const struct system *sys, int kind)
{
	for (int j = 0; j < sys->n; j++)
		if ((int)sys->unknown[j] == UNKNOWN_ACTIVATION + kind)
			return true;
	return false;
}

/* Return the single stage and setting that would determine most unknowns, without a new kind. */
static struct explained_candidate
best_measurement(const struct system *sys, const double *null, const double *scale)
{
	struct explained_candidate best = { .gain = 0 };
	int stages = sys->init->stages, even = sys->init->layers / stages;

	for (int layers = even > 1 ? even - 1 : 1; layers <= even + 2; layers++)
		for (int k = 0; k < RECOMPUTE_KINDS; k++) {
			int most = k == RECOMPUTE_NONE || !takes_part(sys, k) ? 0 : layers;

			for (int recomputed = 0; recomputed <= most; recomputed++)
				/*
				 * Try the middle stages first, because the first and last stages have unknowns of their
				 * own.
				 */
				for (int i = 1; i <= stages && i <= MAX_TRIED; i++)
					try(sys, null, scale,
					    (struct explained_candidate){ .stage = i % stages, .layers = layers,
					    .kind = k, .recomputed = recomputed }, &best);
		}
	return best;
}

static void
advice(FILE *out, const struct split *s)
{
	const struct system *sys = s->system;
	int n = sys->n, even = sys->init->layers / sys->init->stages;
	double *null = xcalloc((size_t)n * (size_t)n, sizeof *null), scale[UNKNOWNS_MAX] = { 0 };

	memcpy(null, s->fit.null, (size_t)n * (size_t)n * sizeof *null);
	for (int j = 0; j < n; j++) {
		for (int i = 0; i < sys->m; i++)
			scale[j] = hypot(scale[j], sys->row[i][sys->unknown[j]]);
		if (scale[j] == 0)
			scale[j] = 1;
	}
	for (int missing = n - s->fit.rank; missing > 0; missing--) {
		struct explained_candidate c = best_measurement(sys, null, scale);
		double inside = 0;

		if (c.gain < mixed)
			break;
		fprintf(out, "  %s: stage %d with offset %d", missing == n - s->fit.rank ? "measure" : "and",
		    c.stage, c.layers - even);
		if (c.recomputed > 0)
			fprintf(out, ", %d of its %d layers with recomputation '%s'", c.recomputed, c.layers,
			    recompute_names[c.kind]);
		else
			fputs(", no layer recomputed", out);
		putc('\n', out);
		/* Remove the direction of the row from the null space. */
		for (int i = 0; i < n; i++)
			inside += c.image[i] * c.row[i];
		for (int i = 0; i < n * n; i++)
			null[i] -= c.image[i / n] * c.image[i % n] / inside;
	}
	free(null);
}

/* Get the only free direction of the solution, in MB of the unknowns. */
static void
free_direction(const struct split *s, double direction[])
{
	const struct leastsquares *f = &s->fit;
	int longest = 0;

	for (int j = 1; j < f->n; j++)
		if (null_at(f, j, j) > null_at(f, longest, longest))
			longest = j;
	for (int j = 0; j < f->n; j++) {
		double scale = 0;

		for (int i = 0; i < s->system->m; i++)
			scale = hypot(scale, s->system->row[i][s->system->unknown[j]]);
		direction[j] = fabs(null_at(f, j, longest)) < mixed ? 0 :
		    null_at(f, j, longest) / (scale > 0 ? scale : 1);
	}
}

char *
explain_range(const struct split *s)
{
	const struct leastsquares *f = &s->fit;
	double direction[UNKNOWNS_MAX], low = -INFINITY, high = INFINITY;
	char *text;
	size_t size;
	bool any = false;
	FILE *out;

	if (f->n - f->rank != 1)
		return xstrdup("");
	free_direction(s, direction);
	for (int j = 0; j < f->n; j++) {
		double end = direction[j] != 0 ? -fmax(f->x[j], 0) / direction[j] : 0;

		if (direction[j] > 0)
			low = fmax(low, end);
		else if (direction[j] < 0)
			high = fmin(high, end);
	}
	if (low == -INFINITY || high == INFINITY)
		return xstrdup("");
	out = memstream_open(&text, &size);
	for (int j = 0; j < f->n; j++) {
		double a = f->x[j] + low * direction[j], b = f->x[j] + high * direction[j];

		if (direction[j] == 0)
			continue;
		fprintf(out, "%s%s %.6g to %.6g MB (%.6g)", any ? ", " : ": ",
		    s->system->name[s->system->unknown[j]], fmax(fmin(a, b), 0), fmax(a, b), f->x[j]);
		any = true;
	}
	memstream_close(out);
	return text;
}

void
explain(FILE *out, const struct split *s)
{
	const struct system *sys = s->system;

	place_say((struct place){ sys->init->place.source, 0 }, "%d measurement%s determine%s %d of %d unknowns:",
	    sys->m, sys->m == 1 ? "" : "s", sys->m == 1 ? "s" : "", s->fit.rank, sys->n);
	groups(out, s);
	if (sys->bodies.n > 1) {
		fputs("  measure: another round, with offsets that change the number of layers of each kind on the "
		    "first stage, the last stage and the stages with two kinds\n", out);
		return;
	}
	advice(out, s);
	fprintf(out, "  for whole rounds use: sapp-guide -s %d -n %d", sys->init->stages,
	    sys->init->layers);
	for (int k = RECOMPUTE_NONE + 1, n = 0; k < RECOMPUTE_BUILT_IN; k++)
		if (takes_part(sys, k))
			fprintf(out, "%s%s", n++ > 0 ? "," : " -k ", recompute_names[k]);
	putc('\n', out);
}
