/* Blocks: drawn as rectangles, with numbers of micro-batches if these fit into all blocks. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/alloc.h"
#include "lib/base/memstream.h"
#include "colour.h"
#include "draw.h"
#include "page.h"
#include "raster.h"

static const double THIN = 1.2;		/* pixels of a mean block below which columns are drawn instead */
static const double SMALLEST = 7;	/* pixels of the smallest readable letter */

double
draw_font(const struct drawing *d)
{
	double scale = fmin(d->width / 1080.0, d->height / 720.0);

	return fmin(24, fmax(9, 11 * sqrt(scale)));
}

static void
rectangle(FILE *f, double x0, double x1, int stage, enum run_part part, double row, int rgb)
{
	/* Leave a pixel between rows that are high enough. */
	double half = row >= 5 ? 0.5 - 0.5 / row : 0.5;

	fprintf(f, "%.9g\t%.9g\t%g\t%g\t%d\n", x0, x1, stage - (part == RUN_LOWER ? 0 : half),
	    stage + (part == RUN_UPPER ? 0 : half), rgb);
}

static int
colour(const struct plot_run *s, const struct bar *b)
{
	return colour_block((enum phase)b->phase, b->chunk, s->chunks);
}

static void
thinned(FILE *f, const struct plot_run *s, const struct axis *a, double row)
{
	int columns = (int)ceil(a->pixels), *state = xcalloc((size_t)columns + 1, sizeof *state);
	double width = axis_span(a) / columns;

	for (int stage = 0; stage < s->stages; stage++) {
		raster_stage(s, stage, a, columns, state);
		for (int c = 0, start = 0; c < columns; c++) {
			if (c + 1 < columns && state[c + 1] == state[c])
				continue;
			if (state[c] != RASTER_IDLE)
				rectangle(f, start * width, (c + 1) * width, stage, RUN_WHOLE, row,
				    colour_block((enum phase)(state[c] / s->chunks), state[c] % s->chunks,
				    s->chunks));
			start = c + 1;
		}
	}
	free(state);
}

/* Return the mean width of the visible blocks, pixels. */
static double
average_width(const struct plot_run *s, const struct axis *a)
{
	double sum = 0;
	size_t n = 0;

	for (size_t i = 0; i < s->n; i++)
		if (!axis_hides(a, s->bar[i].start, s->bar[i].end)) {
			sum += axis_at(a, s->bar[i].end) - axis_at(a, s->bar[i].start);
			n++;
		}
	return n > 0 ? axis_pixels(a, sum / (double)n) : 0;
}

double
draw_letter(const struct plot_run *s, const struct axis *a, double row, double font)
{
	double digits = snprintf(NULL, 0, "%d", s->micros - 1), letter = fmin(font, 0.8 * row);

	for (size_t i = 0; i < s->n; i++) {
		const struct bar *b = &s->bar[i];
		double x0 = axis_at(a, b->start), x1 = axis_at(a, b->end);

		if (axis_hides(a, b->start, b->end) || x1 <= x0)
			continue;
		letter = fmin(letter, (axis_pixels(a, x1 - x0) - 2) / (0.64 * digits));
		if (run_part(s, i) != RUN_WHOLE)
			letter = fmin(letter, 0.5 * row);
	}
	return letter >= SMALLEST ? letter : 0;
}

bool
draw_blocks(FILE *program, const char *suffix, const struct plot_run *s, const struct axis *a, double row,
    double letter)
{
	char *numbers = NULL;
	size_t size;
	FILE *number = memstream_open(&numbers, &size);
	bool thin = average_width(s, a) < THIN;

	fprintf(program, "$block%s << EOD\n", suffix);
	if (thin)
		thinned(program, s, a, row);
	for (size_t i = 0; i < s->n && !thin; i++) {
		const struct bar *b = &s->bar[i];
		double x0 = axis_at(a, b->start), x1 = axis_at(a, b->end), pixels = axis_pixels(a, x1 - x0);
		int rgb = colour(s, b);
		enum run_part part;

		if (axis_hides(a, b->start, b->end) || x1 <= x0)
			continue;
		/* Leave a pixel between blocks that are wide enough. */
		part = run_part(s, i);
		x1 = pixels > 4 ? x1 - axis_span(a) / a->pixels : x1;
		rectangle(program, x0, x1, b->stage, part, row, rgb);
		if (b->recompute > 0)
			rectangle(program, x0, fmin(x1, axis_at(a, b->start + b->recompute)), b->stage, part, row,
			    colour_recompute(rgb));
		if (letter > 0)
			fprintf(number, "%.9g\t%g\t%d\t%d\n", (x0 + axis_at(a, b->end)) / 2,
			    b->stage + (part == RUN_WHOLE ? 0 : part == RUN_UPPER ? -0.25 : 0.25),
			    colour_text_on(rgb), b->micro);
	}
	memstream_close(number);
	fprintf(program, "EOD\n$number%s << EOD\n%sEOD\nNUMBER_FONT = %g\nNUMBERS%s = %d\n", suffix, numbers,
	    letter, suffix, *numbers != 0);
	free(numbers);
	return thin;
}

/* Return a text such as ", limit 56000 MB", with the known members. */
static char *
limit_words(const struct plot_run *s)
{
	const struct list *limit = &s->sim.sim.memory_limit;
	char *most, *words;

	if (limit->n == 0 || run_limit(s, 0) <= 0)
		return xstrdup("");
	if (limit->n > 1)
		return xstrdup(", a limit for each stage");
	most = page_number(run_limit(s, 0));
	words = xasprintf(", limit %s MB", most);
	free(most);
	return words;
}

char *
draw_title(const struct drawing *d, const struct plot_run *s)
{
	char *limit, *model, *text;

	if (d->title != NULL)
		return xstrdup(d->title);
	limit = limit_words(s);
	model = s->model != NULL ? xasprintf("%s · ", s->model) : xstrdup("");
	text = xasprintf("%s%s: %d stage%s × %d chunk%s × %d micro-batch%s, %s%s%s", model, s->name, s->stages,
	    s->stages == 1 ? "" : "s", s->chunks, s->chunks == 1 ? "" : "s", s->micros, s->micros == 1 ? "" : "es",
	    schedule_names[s->sim.sim.schedule], limit, run_over(s) >= 0 ? " · DOES NOT FIT" : "");
	free(limit);
	free(model);
	return text;
}

char *
draw_common_title(const struct drawing *d, struct plot_run *const s[], int n)
{
	char *limit, *text;
	size_t size;
	FILE *f;
	bool model = s[0]->model != NULL, stages = true, micros = true, limits = true;

	if (d->title != NULL)
		return xstrdup(d->title);
	if (n == 1)
		return draw_title(d, s[0]);
	limit = limit_words(s[0]);
	for (int i = 1; i < n; i++) {
		char *other = limit_words(s[i]);

		model &= s[i]->model != NULL && s[0]->model != NULL && strcmp(s[i]->model, s[0]->model) == 0;
		stages &= s[i]->stages == s[0]->stages;
		micros &= s[i]->micros == s[0]->micros;
		limits &= strcmp(other, limit) == 0;
		free(other);
	}
	f = memstream_open(&text, &size);
	if (model)
		fprintf(f, "%s · ", s[0]->model);
	fprintf(f, "%d strategies", n);
	if (stages)
		fprintf(f, ", %d stage%s", s[0]->stages, s[0]->stages == 1 ? "" : "s");
	if (micros)
		fprintf(f, "%s%d micro-batch%s", stages ? " × " : ", ", s[0]->micros, s[0]->micros == 1 ? "" : "es");
	if (limits)
		fputs(limit, f);
	memstream_close(f);
	free(limit);
	return text;
}

char *
draw_bubble(const struct plot_run *s)
{
	const struct bubble *b = &s->sim.sim.bubble;
	char *recompute = GIVEN(bubble, b, recompute) ? xasprintf(" + %.4f recompute", b->recompute)
	    : xstrdup("");
	char *comm = GIVEN(bubble, b, comm) ? xasprintf(" + %.4f communication", b->comm) : xstrdup("");
	char *text = xasprintf("bubble %.4f of useful work = %.4f ideal %c %.4f imbalance%s%s; "
	    "%.1f %% of the step idle", b->real, b->ideal, b->imba < 0 ? '-' : '+', fabs(b->imba), recompute, comm,
	    100 * bubble_waiting(b));

	free(recompute);
	free(comm);
	return text;
}
