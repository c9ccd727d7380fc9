/* Sweep: draws step time against memory limit, a line for each schedule, number of chunks, and model. */
#include <err.h>
#include <math.h>
#include <stdlib.h>

#include "lib/base/alloc.h"
#include "lib/base/memstream.h"
#include "lib/base/status.h"
#include "axis.h"
#include "colour.h"
#include "draw.h"
#include "gnuplot.h"
#include "points.h"

/* Return one of Okabe and Ito's colours. Those with the most contrast on white come first. */
static int
line_colour(int i)
{
	static const int colours[] = { 0x0072b2, 0xd55e00, 0x009e73, 0xcc79a7, 0xe69f00, 0x56b4e9, 0x000000 };

	return colours[i % (int)(sizeof colours / sizeof *colours)];
}

void
draw_sweep(const struct drawing *d, char *const operands[])
{
	struct points p = points_read(operands);
	struct varies varies = points_vary(&p);
	double f = draw_font(d), top = 4 * f, key, longest = 0, low = HUGE_VAL, high = 0, from = HUGE_VAL,
	    to = 0;
	FILE *program, *bounds;
	char *bound = NULL, *name;
	const char *title;
	size_t size;
	struct page page;
	bool bounded = false;
	int lines = 0, missing = 0, rows = (int)((d->height - top - 7 * f) / (1.5 * f));

	if (p.n == 0)
		place_die(p.end, "no plan record in the input; sapp-lp writes them");
	page_open(&page, f);
	for (size_t i = 0; i < p.n; i++) {
		if (varies.micro_batches) {
			p.at[i].time /= p.at[i].micro_batches;
			p.at[i].bound /= p.at[i].micro_batches;
		}
		name = points_line_name(&p.at[i], &varies);
		longest = fmax(longest, page_width(&page, name));
		free(name);
		from = fmin(from, p.at[i].limit);
		to = fmax(to, p.at[i].limit);
		if (p.at[i].none)
			continue;
		low = fmin(low, p.at[i].bound > 0 ? p.at[i].bound : p.at[i].time);
		high = fmax(high, p.at[i].time);
	}
	if (high == 0)
		errx(STATUS_ERROR, "no feasible plan in the input");
	if (high - low < 0.02 * high)
		low = high * 0.98;
	if (from == to) {
		from -= 1;
		to += 1;
	}
	key = d->width - longest - 5 * f;
	if (key < d->width * 0.4)
		errx(STATUS_ERROR, "-size: too narrow for the names of the lines");

	program = gnuplot_open(d->path, d->width, d->height, f);
	bounds = memstream_open(&bound, &size);
	fputs("$plans << EOD\n", program);
	for (size_t i = 0; i < p.n; i++) {
		const struct point *q = &p.at[i];

		if (i == 0 || !points_same_line(q, q - 1)) {
			double y = top + 0.5 * f + lines * 1.5 * f;

			fputs(i > 0 ? "\n" : "", program);
			fputs(i > 0 ? "\n" : "", bounds);
			if (lines == rows)
				errx(STATUS_ERROR, "-size: too low for the names of more than %d lines",
				    rows);
			name = points_line_name(q, &varies);
			page_box(&page, key + f, y - 0.15 * f, 2 * f, 0.3 * f, line_colour(lines));
			page_point(&page, key + 2 * f, y, 5 + lines, line_colour(lines));
			page_text(&page, PAGE_LEFT, key + 3.5 * f, y, COLOUR_INK, name);
			free(name);
			lines++;
		} else if (!q->none && !q[-1].none && q->limit == q[-1].limit) {
			continue;	/* the question has a better plan */
		}
		if (q->none)
			missing++;
		else
			fprintf(program, "%.9g\t%.9g\t%d\t%d\n", q->limit, q->time, line_colour(lines - 1),
			    4 + lines);
		bounded |= !q->none && q->bound > 0;
		if (!q->none && q->bound > 0)
			fprintf(bounds, "%.9g\t%.9g\t%d\n", q->limit, q->bound, line_colour(lines - 1));
	}
	memstream_close(bounds);
	fprintf(program,
	    "EOD\n$bounds << EOD\n%sEOD\nLEFT = %g\nRIGHT = %g\nTOP = %g\nBOTTOM = %g\n"
	    "FROM = %.9g\nTO = %.9g\n"
	    "LOW = %.9g\nHIGH = %.9g\nSTEP = %.9g\nWHAT = '%s'\nBOUNDS = %d\n", bound, 8 * f, key, top,
	    d->height - 6.5 * f, from - (to - from) * 0.03, to + (to - from) * 0.03,
	    low - (high - low) * 0.05, high + (high - low) * 0.05,
	    axis_round((to - from) * 7 * f / (key - 8 * f)),
	    varies.micro_batches ? "step time / micro-batches, ms" : "step time, ms", bounded);
	free(bound);
	title = d->title != NULL ? d->title : "Step time against memory limit";
	page_title(&page, d->width, title);
	name = missing > 0 ? xasprintf("dashed: lower bounds · no plan fits for %d question%s", missing,
	    missing == 1 ? "" : "s")
	    : xstrdup("dashed: lower bounds");
	page_text(&page, PAGE_LEFT, f, d->height - 1.4 * f, COLOUR_INK, name);
	free(name);
	page_close(&page, program);
	points_free(&p);
	gnuplot_draw(program, "sweep.gp", d->path, title);
}
