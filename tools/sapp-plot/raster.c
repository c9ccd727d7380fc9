#include "raster.h"

#include <math.h>
#include <stdlib.h>

#include "lib/base/alloc.h"

void
raster_stage(const struct plot_run *s, int stage, const struct axis *a, int columns, int state[])
{
	int states = PHASES * s->chunks + 1;		/* the last state is idle */
	double width = axis_span(a) / columns;
	double *share = xcalloc((size_t)columns * (size_t)states, sizeof *share);
	double *owed = xcalloc((size_t)states, sizeof *owed);

	for (int c = 0; c < columns; c++)
		share[(size_t)(c + 1) * (size_t)states - 1] = 1;
	for (size_t i = s->first[stage]; i < s->first[stage + 1]; i++) {
		const struct bar *b = &s->bar[i];
		double x0 = axis_at(a, b->start) / width, x1 = axis_at(a, b->end) / width;

		if (axis_hides(a, b->start, b->end))
			continue;
		for (int c = (int)x0; c < columns && c < x1; c++) {
			double part = fmin(x1, c + 1) - fmax(x0, c),
			    *column = share + (size_t)c * (size_t)states;

			column[b->phase * s->chunks + b->chunk] += part;
			column[states - 1] -= part;
		}
	}
	for (int c = 0; c < columns; c++) {
		int chosen = states - 1;

		for (int k = 0; k < states; k++) {
			double part = share[(size_t)c * (size_t)states + (size_t)k];

			owed[k] += part;
			/* Choose only among the states within the column. */
			if (part > 1e-9 && owed[k] > owed[chosen])
				chosen = k;
		}
		owed[chosen] -= 1;
		state[c] = chosen == states - 1 ? RASTER_IDLE : chosen;
	}
	free(share);
	free(owed);
}

void
raster_memory(const struct plot_run *s, int stage, const struct axis *a, int columns, double top[])
{
	double now = run_static_memory(s, stage);
	size_t i = s->first[stage];

	for (int c = 0; c < columns; c++) {
		double end = (c + 1) * axis_span(a) / columns;

		top[c] = now;
		for (; i < s->first[stage + 1] && axis_at(a, s->bar[i].end) <= end; i++) {
			now = s->bar[i].memory;
			top[c] = fmax(top[c], now);
		}
	}
	/* Memory that is in use only while an operation runs. */
	for (i = s->first[stage]; i < s->first[stage + 1]; i++) {
		const struct bar *b = &s->bar[i];
		int from = (int)(axis_at(a, b->start) * columns / axis_span(a));
		double to = axis_at(a, b->end) * columns / axis_span(a);

		for (int c = from; b->peak > b->memory && c < columns && c < to; c++)
			top[c] = fmax(top[c], b->peak);
	}
}
