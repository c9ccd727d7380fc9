/* Memory: drawn for every stage over time, as areas, or as shades if rows are too low. */
#include <math.h>
#include <stdlib.h>

#include "lib/base/alloc.h"
#include "colour.h"
#include "draw.h"
#include "raster.h"

static const double LOWEST = 7;		/* minimum height of a row with areas, pixels */
static const double COLUMN = 2;		/* width of a column of shades, pixels */
enum { SHADES = 24 };

/* Return the MB of a full row: the maximum of peaks and limits. */
static double
most_of(const struct plot_run *s)
{
	int stage;
	double most = run_peak(s, &stage);

	for (stage = 0; stage < s->stages; stage++)
		most = fmax(most, run_limit(s, stage));
	for (size_t i = 0; i < s->n; i++)
		most = fmax(most, fmax(s->bar[i].memory, s->bar[i].peak));
	return most > 0 ? most : 1;
}

/* Memory of a stage over the changes within half a pixel: before them, its extremes, and after them. */
struct memory_column {
	double at;
	double before, low, high, now;
};

static void
put_column(FILE *program, const struct memory_column *c)
{
	fprintf(program, "%.9g\t%.8g\n", c->at, c->before);
	if (c->low < fmin(c->before, c->now))
		fprintf(program, "%.9g\t%.8g\n", c->at, c->low);
	if (c->high > fmax(c->before, c->now))
		fprintf(program, "%.9g\t%.8g\n", c->at, c->high);
	fprintf(program, "%.9g\t%.8g\n", c->at, c->now);
}

/* Change the memory at a time. Changes within WIDTH of the column's time are merged. */
static void
change(FILE *program, struct memory_column *c, double at, double memory, double width)
{
	if (at - c->at >= width) {
		put_column(program, c);
		*c = (struct memory_column){ at, c->now, c->now, c->now, c->now };
	}
	c->low = fmin(c->low, memory);
	c->high = fmax(c->high, memory);
	c->now = memory;
}

/* Write $memory0, $memory1 and so on: time and MB, up to eight points per pixel. */
static void
areas(FILE *program, const struct plot_run *s, const struct axis *a)
{
	double width = axis_span(a) / a->pixels / 2;

	for (int stage = 0; stage < s->stages; stage++) {
		double now = run_static_memory(s, stage);
		struct memory_column c = { 0, now, now, now, now };

		fprintf(program, "$memory%d << EOD\n", stage);
		for (size_t i = s->first[stage]; i < s->first[stage + 1]; i++) {
			const struct bar *b = &s->bar[i];

			/* Draw the memory that is in use only while the operation runs. */
			if (b->peak > fmax(c.now, b->memory))
				change(program, &c, axis_at(a, b->start), b->peak, width);
			change(program, &c, axis_at(a, b->end), b->memory, width);
		}
		put_column(program, &c);
		fprintf(program, "%.9g\t%.8g\n\nEOD\n", axis_span(a), c.now);
	}
}

/* Write $shade: columns as boxes. Equal neighbours are merged. */
static void
shades(FILE *program, const struct plot_run *s, const struct axis *a, double most)
{
	int columns = (int)ceil(a->pixels / COLUMN);
	double width = axis_span(a) / columns, *top = xcalloc((size_t)columns, sizeof *top);

	fputs("$shade << EOD\n", program);
	for (int stage = 0; stage < s->stages; stage++) {
		double limit = run_limit(s, stage);

		raster_memory(s, stage, a, columns, top);
		for (int c = 0, start = 0; c < columns; c++) {
			int now = colour_memory(top[c], most, limit, SHADES);

			if (c + 1 < columns && colour_memory(top[c + 1], most, limit, SHADES) == now)
				continue;
			fprintf(program, "%.9g\t%.9g\t%g\t%g\t%d\n", start * width, (c + 1) * width, stage - 0.5,
			    stage + 0.5, now);
			start = c + 1;
		}
	}
	fputs("EOD\n", program);
	free(top);
}

bool
draw_memory(FILE *program, const struct plot_run *s, const struct axis *a, double row)
{
	double most = most_of(s);
	bool shaded = row < LOWEST;

	if (shaded)
		shades(program, s, a, most);
	else
		areas(program, s, a);
	/* MB of an idle stage, its limit, and whether the limit is exceeded. */
	fputs("$stage << EOD\n", program);
	for (int stage = 0; stage < s->stages; stage++) {
		double limit = run_limit(s, stage), peak = s->sim.sim.peak_memory.at[stage];

		fprintf(program, "%d\t%.8g\t%.8g\t%d\n", stage, fmax(0, run_static_memory(s, stage)),
		    limit > 0 ? limit : most, limit > 0 && peak > limit);
	}
	fprintf(program, "EOD\n$limit << EOD\n");
	for (int stage = 0; stage < s->stages && !shaded; stage++)
		if (run_limit(s, stage) > 0)
			fprintf(program, "0\t%.8g\t%.9g\t%d\n", run_limit(s, stage), axis_span(a), stage);
	fprintf(program, "EOD\nSHADED = %d\nMEMORY_HIGH = %.8g\nPARAMETER = %d\nACTIVATION = %d\nOVER = %d\n"
	    "LIMIT = %d\n", shaded, most, COLOUR_PARAMETER, COLOUR_ACTIVATION, COLOUR_OVER, COLOUR_LIMIT);
	return shaded;
}

/* If the row is narrow, the less important entries are omitted. */
void
draw_memory_legend(struct page *p, const struct plot_run *s, double x, double y, double width, bool shaded)
{
	double f = p->font, end = x + width, most = most_of(s), low = HUGE_VAL, high = 0;
	char *scale, *text;
	bool over = false;

	scale = shaded ? xasprintf("0 … %.0f MB", most) : xasprintf("activations, rows of %.0f MB", most);
	for (int stage = 0; stage < s->stages; stage++) {
		over |= run_limit(s, stage) > 0 && s->sim.sim.peak_memory.at[stage] > run_limit(s, stage);
		low = fmin(low, run_limit(s, stage));
		high = fmax(high, run_limit(s, stage));
	}
	if (shaded) {
		for (int i = 0; i < SHADES; i++, x += 0.25 * f)
			page_box(p, x, y - f / 2, 0.25 * f, f, colour_memory(most * i / SHADES, most, 0, SHADES));
	} else {
		page_box(p, x, y - f / 2, 1.5 * f, f, COLOUR_PARAMETER);
		page_text(p, PAGE_LEFT, x + 1.9 * f, y, COLOUR_INK, "parameters");
		x += 3.1 * f + page_width(p, "parameters");
		page_box(p, x, y - f / 2, 1.5 * f, f, COLOUR_ACTIVATION);
		x += 1.5 * f;
	}
	page_text(p, PAGE_LEFT, x + 0.4 * f, y, COLOUR_INK, scale);
	x += 1.6 * f + page_width(p, scale);
	free(scale);
	if (over && x + 1.9 * f + page_width(p, "over the limit") < end) {
		page_box(p, x, y - f / 2, 1.5 * f, f, COLOUR_OVER);
		page_text(p, PAGE_LEFT, x + 1.9 * f, y, COLOUR_INK, "over the limit");
		x += 3.1 * f + page_width(p, "over the limit");
	}
	if (high <= 0)
		return;
	text = low < high ? xasprintf("limits %.0f … %.0f", low, high) : xasprintf("limit %.0f", low);
	if (x + 1.9 * f + page_width(p, text) < end) {
		if (!shaded)
			page_line(p, x, y, 1.5 * f, COLOUR_LIMIT);
		page_text(p, PAGE_LEFT, x + (shaded ? 0 : 1.9) * f, y, COLOUR_INK, text);
	}
	free(text);
}
