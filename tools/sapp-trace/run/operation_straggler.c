/* Operation stragglers: find ranks and micro-batches that are slower than others with equal work. */
#include <stdlib.h>

#include "lib/base/alloc.h"
#include "lib/base/numbers.h"
#include "operation_steps.h"

static const double slow = 1.1, uneven = 1.1;	/* minimum ratio to the other ranks, to the other micro-batches */
static const char *const words[] = { "forwards", "backwards" };

/* Return the ms of all micro-batches, mean over the steps. */
static double
work(const struct operation_steps *s, int pipeline, int stage, enum operation_kind kind)
{
	double sum = 0;

	for (int k = 0; k < s->n; k++)
		for (int v = 0; v < s->chunks; v++)
			for (int m = 0; m < s->micro; m++)
				sum += *operation_time(s, &s->at[k], pipeline, kind, v * s->stages + stage, m);
	return sum / s->n;
}

static double
median(const double *at, int n)
{
	double *copy = xcalloc((size_t)n, sizeof *copy), m;

	for (int i = 0; i < n; i++)
		copy[i] = at[i];
	numbers_sort(copy, (size_t)n);
	m = copy[(n - 1) / 2];
	free(copy);
	return m;
}

/*
 * Compare a stage with the same stage of other pipelines. With only one pipeline, compare it with the other middle
 * stages.
 */
static void
slow_ranks(const struct operation_steps *s, enum operation_kind kind, struct place at)
{
	bool side = s->pipelines > 1;
	int outer = side ? s->stages : 1, inner = side ? s->pipelines : s->stages - 2;
	double *each = xcalloc((size_t)(inner > 0 ? inner : 1), sizeof *each);

	for (int i = 0; i < outer && inner >= (side ? 2 : 3); i++) {
		double usual;

		for (int k = 0; k < inner; k++)
			each[k] = side ? work(s, k, i, kind) : work(s, 0, k + 1, kind);
		usual = median(each, inner);
		for (int k = 0; k < inner; k++)
			if (each[k] > slow * usual && usual > 0)
				place_warn(at, "a straggler: the %s of stage %d of pipeline %s take %.2f ms per step, "
				    "%.0f %% more than %s", words[kind], side ? i : k + 1, s->pipeline[side ? k : 0],
				    each[k],
				    100 * (each[k] / usual - 1), side ? "on the same stage of other pipelines"
				    : "on the other middle stages");
	}
	free(each);
}

/* Warn if micro-batches differ in the median step. */
static void
uneven_micro(const struct operation_steps *s, struct place at)
{
	double *ratio = xcalloc((size_t)s->n, sizeof *ratio), usual;

	for (int k = 0; k < s->n; k++) {
		double least = 0, most = 0;

		for (int m = 0; m < s->micro; m++) {
			double sum = 0;

			for (int i = 0; i < s->stages * s->chunks; i++)
				sum += *operation_time(s, &s->at[k], s->at[k].slowest, OPERATION_FORWARD, i, m);
			least = m == 0 || sum < least ? sum : least;
			most = sum > most ? sum : most;
		}
		ratio[k] = least > 0 ? most / least : 1;
	}
	usual = median(ratio, s->n);
	if (usual > uneven)
		place_warn(at, "micro-batches of a step differ: the longest forward takes %.2f times as long as the "
		    "shortest; to simulate each step separately use -replay", usual);
	free(ratio);
}

void
operation_stragglers(const struct operation_steps *s)
{
	struct place at = { .source = s->of->source };

	slow_ranks(s, OPERATION_FORWARD, at);
	slow_ranks(s, OPERATION_BACKWARD, at);
	uneven_micro(s, at);
}
