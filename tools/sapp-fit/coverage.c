#include "coverage.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/alloc.h"
#include "lib/base/memstream.h"
#include "lib/record/opcost.h"

/*
 * Return the shapes TEXT of kernel K with the dimensions determined for the factors X (caller frees); NULL: a dimension
 * is undetermined.
 */
static char *
shapes_at(const struct observed_kernel *k, bool output, const double x[FACTORS], size_t n, const struct told_size *told)
{
	const char *from = output ? k->output : k->input;
	char *text;
	size_t size;
	FILE *f = memstream_open(&text, &size);
	bool all = true;
	int index = 0, axis = 0;

	for (; all && from != NULL && *from != '\0'; from++) {
		double v = -1;

		if (*from == ',' || *from == ';') {
			fputc(*from, f);
			axis = *from == ';' ? 0 : axis + 1;
			index += *from == ';';
			continue;
		}
		for (size_t i = 0; i < n && v < 0; i++)
			if (told[i].of == k && told[i].output == output && told[i].index == index &&
			    told[i].axis == axis) {
				v = told[i].p.value;
				for (int e = 0; e < FACTORS; e++)
					v *= pow(x[e], told[i].p.exponent[e]);
				v += told[i].p.added;
			}
		all = v >= 0;
		fprintf(f, "%.0f", round(v));
		from += strspn(from, "0123456789") - 1;
	}
	memstream_close(f);
	if (!all)
		free(text);
	return all ? text : NULL;
}

/*
 * Return the source of a kernel's time for these factors, enum figure_source: measured, predicted from determined
 * shapes, or neither.
 */
static int
source_of(const struct coverages *c, const struct observed_kernel *k, const char *device, const double x[FACTORS],
    size_t n, const struct told_size *told)
{
	struct observed_kernel then = *k;
	int source = FIGURE_COMPUTED;
	char *input = shapes_at(k, false, x, n, told), *output = shapes_at(k, true, x, n, told);

	if (input != NULL && output != NULL && (k->input != NULL || k->output != NULL)) {
		then.input = k->input != NULL ? input : NULL;
		then.output = k->output != NULL ? output : NULL;
		source = known_has(c->known, &then, device) ? FIGURE_MEASURED : FIGURE_FITTED;
	}
	free(input);
	free(output);
	return source;
}

void
coverage_add(struct coverages *c, const struct observed_run *first, size_t n, const struct observed_kernel *const *k,
    size_t ntold, const struct told_size *told)
{
	for (size_t i = 0; i < c->n; i++) {
		const struct configuration *of = &c->at[i];
		const double degrees[] = { [FACTOR_TP] = of->tp, [FACTOR_CP] = of->cp, [FACTOR_EP] = of->ep,
			[FACTOR_MBS] = of->mbs };
		struct coverage_sum sum = { { 0 }, { 0 } }, *best = &c->sum[i];
		double x[FACTORS];

		if ((of->tp > 1) != first->more[0] || (of->cp > 1) != first->more[1] ||
		    (of->ep > 1) != first->more[2])
			continue;
		memcpy(x, first->x, sizeof x);
		memcpy(x, degrees, sizeof degrees);
		for (size_t j = 0; j < n; j++) {
			int source = source_of(c, k[j], first->run.run.device, x, ntold, told);

			sum.operators[source] += k[j]->calls;
			sum.time[source] += k[j]->calls * k[j]->time;
		}
		if (sum.time[FIGURE_MEASURED] + sum.time[FIGURE_FITTED] >=
		    best->time[FIGURE_MEASURED] + best->time[FIGURE_FITTED])
			*best = sum;
	}
}

static void
shares(struct amounts *a, const double sum[3])
{
	static const char *const names[] = { "computed", "fitted", "measured" };
	double all = sum[0] + sum[1] + sum[2];

	for (int i = FIGURE_MEASURED; i >= FIGURE_COMPUTED; i--)
		amounts_add(a, names[i], all > 0 ? sum[i] / all : i == FIGURE_COMPUTED);
}

void
coverage_write(FILE *out, const struct coverages *c)
{
	for (size_t i = 0; i < c->n; i++) {
		const struct configuration *of = &c->at[i];
		struct coverage r = { .name = of->name != NULL ? xstrdup(of->name) : configuration_name(of) };

		shares(&r.operators, c->sum[i].operators);
		shares(&r.time, c->sum[i].time);
		record_put(out, RECORD_COVERAGE, &r);
		fields_free(&coverage_fields, &r);
	}
}
