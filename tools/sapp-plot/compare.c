#include <math.h>
#include <stdlib.h>

#include "lib/base/alloc.h"
#include "colour.h"
#include "draw.h"
#include "gnuplot.h"

/*
 * Return the line above a panel: step time, difference to the first strategy, and the part of the text about the bubble
 * that fits into WIDTH.
 */
static char *
headline(const struct page *p, const struct plot_run *s, const struct plot_run *first, double width)
{
	double step = s->sim.sim.step_time, base = first->sim.sim.step_time, d = step - base;
	char *bubble = draw_bubble(s), *t = page_time(step), *u = page_time(fabs(d)), *times, *text = NULL, *fit;
	const char *over = run_over(s) >= 0 ? " · DOES NOT FIT" : "";

	if (s == first || base <= 0)
		times = xasprintf("%s: %s", s->name, t);
	else
		times = xasprintf("%s: %s, %c%.2f %% (%c%s)", s->name, t, d < 0 ? '-' : '+',
		    100 * fabs(d) / base, d < 0 ? '-' : '+', u);
	/* Try the full text about the bubble, then only its sum in both definitions, then none. */
	for (int detail = 0; detail < 3 && (text == NULL || page_width(p, text) > width); detail++) {
		free(text);
		if (detail == 1) {
			free(bubble);
			bubble = xasprintf("bubble %.4f of useful work, %.1f %% of the step idle",
			    s->sim.sim.bubble.real, 100 * bubble_waiting(&s->sim.sim.bubble));
		}
		text = xasprintf("%s%s%s%s", times, detail < 2 ? " · " : "", detail < 2 ? bubble : "", over);
	}
	fit = page_fit(p, text, width);
	free(text);
	free(times);
	free(bubble);
	free(t);
	free(u);
	return fit;
}

/* Draw the peak of each stage as a bar, in another colour above the limit. $limit is drawn as steps. */
static void
peaks(FILE *program, int i, const struct plot_run *s)
{
	const struct list *peak = &s->sim.sim.peak_memory;

	fprintf(program, "$peak%d << EOD\n", i);
	for (int stage = 0; stage < s->stages; stage++) {
		double limit = run_limit(s, stage), within = limit > 0 ? fmin(limit, peak->at[stage])
		    : peak->at[stage];

		fprintf(program, "0\t%.8g\t%d\t%d\n", fmax(0, within), stage, COLOUR_QUIET);
		if (peak->at[stage] > within)
			fprintf(program, "%.8g\t%.8g\t%d\t%d\n", within, peak->at[stage], stage, COLOUR_OVER);
	}
	fprintf(program, "EOD\n$limit%d << EOD\n", i);
	/* The limit is one for all stages, or one per stage. */
	for (int stage = 0; stage < s->sim.sim.memory_limit.n; stage++)
		fprintf(program, "%.8g\t%g\t%d\t%d\n", run_limit(s, stage), stage - 0.5, COLOUR_LIMIT,
		    s->sim.sim.memory_limit.n == 1 ? s->stages : 1);
	fprintf(program, "EOD\nLIMITS%d = %d\n", i, s->sim.sim.memory_limit.n);
}

/* Get the notes below the panels in PIECE, NULL-terminated; caller frees each. */
static void
notes(char *piece[5], const struct plot_run *first, int n, const struct axis *axis, bool over, bool thin)
{
	int pieces = 0;

	if (over)
		piece[pieces++] = xstrdup("red: above the memory limit");
	if (n > 1)
		piece[pieces++] = xasprintf("dashed: end of %s", first->name);
	if (axis->to > axis->from) {
		char *from = page_time(axis->from), *to = page_time(axis->to);

		piece[pieces++] = xasprintf("steady part from %s to %s folded", from, to);
		free(from);
		free(to);
	}
	if (thin)
		piece[pieces++] = xstrdup("blocks narrower than a pixel thinned, each kind in proportion");
	piece[pieces] = NULL;
}

static void
free_notes(char *const piece[])
{
	while (*piece != NULL)
		free(*piece++);
}

void
draw_compare(const struct drawing *d, struct plot_run *const s[], int n)
{
	double f = draw_font(d), top = 4.6 * f, caption, axis_room = 4 * f, most = 0, letter = 0;
	double left = 5 * f, right = d->width * 0.78, each;
	FILE *program = gnuplot_open(d->path, d->width, d->height, f);
	struct axis axis = axis_new(s, n, right - left);
	struct plot_run legend = *s[0];
	struct page page;
	char *piece[5], *text;
	bool thin = false, over = false, limited = false;

	page_open(&page, f);
	/* Reserve room for all possible notes. */
	notes(piece, s[0], n, &axis, true, true);
	caption = (0.5 + 1.5 * page_paragraph(&page, 0, 0, d->width - 2 * f, 0, piece, true)) * f;
	free_notes(piece);
	each = (d->height - top - caption - axis_room) / n;
	fprintf(program,
	    "array BLOCKS_TOP[%d]\narray BLOCKS_BOTTOM[%d]\narray STAGES[%d]\narray STAGE_STEP[%d]\n"
	    "array LETTER[%d]\narray END[%d]\n", n, n, n, n, n, n);
	/* Either all blocks of the page have numbers, or none has. */
	for (int i = 0; i < n; i++) {
		double mine = draw_letter(s[i], &axis, (each - 2.1 * f) / s[i]->stages, f);

		letter = i == 0 ? mine : fmin(letter, mine);
	}
	for (int i = 0; i < n; i++) {
		double y0 = top + i * each + 1.8 * f, y1 = top + (i + 1) * each - 0.3 * f,
		    row = (y1 - y0) / s[i]->stages;
		char *suffix = xasprintf("%d", i + 1);

		thin |= draw_blocks(program, suffix, s[i], &axis, row, letter);
		fprintf(program,
		    "BLOCKS_TOP[%d] = %g\nBLOCKS_BOTTOM[%d] = %g\nSTAGES[%d] = %d\nSTAGE_STEP[%d] = %d\n"
		    "LETTER[%d] = NUMBER_FONT\nEND[%d] = %.9g\n", i + 1, y0, i + 1, y1, i + 1, s[i]->stages,
		    i + 1, (int)ceil(1.2 * f / row), i + 1, i + 1, axis_at(&axis, s[i]->sim.sim.step_time));
		peaks(program, i + 1, s[i]);
		for (int stage = 0; stage < s[i]->stages; stage++) {
			double peak = s[i]->sim.sim.peak_memory.at[stage], limit = run_limit(s[i], stage);

			most = fmax(most, fmax(peak, limit));
			limited |= limit > 0;
			over |= limit > 0 && peak > limit;
		}
		text = headline(&page, s[i], s[0], d->width - left - f);
		page_text(&page, PAGE_LEFT, left, y0 - 0.9 * f, COLOUR_INK, text);
		free(text);
		free(suffix);
		/* The legend needs every chunk and phase that occurs. */
		if (s[i]->chunks > legend.chunks)
			legend.chunks = s[i]->chunks;
		for (int phase = 0; phase < PHASES; phase++)
			legend.phase[phase] |= s[i]->phase[phase];
		legend.recompute |= s[i]->recompute;
	}
	fprintf(program, "N = %d\nSPAN = %.9g\nLEFT = %g\nRIGHT = %g\nBARS_LEFT = %g\nBARS_RIGHT = %g\n"
	    "MEMORY_HIGH = %.8g\nMEMORY_STEP = %.8g\nFOLD = %d\nFOLD_FROM = %.9g\nFOLD_TO = %.9g\n"
	    "IDLE = %d\n",
	    n, axis_span(&axis), left, right, right + 2.5 * f, d->width - 2 * f, most > 0 ? most * 1.04 : 1,
	    axis_round(fmax(1, most) * 7 * f / (d->width - 2 * f - right - 2.5 * f)), axis.to > axis.from,
	    axis_at(&axis, axis.from), axis_at(&axis, axis.to), COLOUR_IDLE);

	axis_tics(&axis, program, f);

	text = draw_common_title(d, s, n);
	page_title(&page, d->width, text);
	page_legend(&page, left, 3.4 * f, right + 1.5 * f - left, &legend);
	page_text(&page, PAGE_LEFT, right + 2.5 * f, 3.4 * f, COLOUR_INK,
	    right + 2.5 * f + page_width(&page, "peak memory, MB") < d->width ? "peak memory, MB" : "peak, MB");
	if (limited && right + 15.5 * f + page_width(&page, "limit") < d->width) {
		page_line(&page, right + 13.5 * f, 3.4 * f, 1.5 * f, COLOUR_LIMIT);
		page_text(&page, PAGE_LEFT, right + 15.5 * f, 3.4 * f, COLOUR_INK, "limit");
	}
	notes(piece, s[0], n, &axis, over, thin);
	page_paragraph(&page, f, d->height - caption + 0.6 * f, d->width - 2 * f, 1.5 * f, piece, false);
	free_notes(piece);
	page_close(&page, program);
	gnuplot_draw(program, "compare.gp", d->path, text);
	free(text);
}
