/* Timeline: draws the blocks of every stage over time, above the memory of every stage. */
#include <math.h>
#include <stdlib.h>

#include "lib/base/alloc.h"
#include "colour.h"
#include "draw.h"
#include "gnuplot.h"

struct timeline_layout {			/* positions in pixels from the top left corner */
	double left, right;	/* ends of both panels */
	double blocks_top, blocks_bottom;
	double memory_top, memory_bottom;
	double caption;
};

/* Get the sentences of the caption in PIECE, NULL-terminated; caller frees each. */
static void
caption(char *piece[8], const struct plot_run *s, const struct axis *a, bool thin)
{
	const struct sim *sim = &s->sim.sim;
	int n = 0, stage;
	double peak = run_peak(s, &stage);
	char *t = page_time(sim->step_time), *m = page_number(peak), *u;

	if (run_gap(s) >= 0) {
		double above = 100 * run_gap(s);

		u = page_time(s->plan.plan.lower_bound);
		piece[n++] = above < 0.005 ? xasprintf("step time %s, the best possible", t)
		    : xasprintf("step time %s, at most %.2f %% above the best possible (bound %s)", t,
		    above, u);
		free(u);
	} else
		piece[n++] = xasprintf("step time %s", t);
	piece[n++] = draw_bubble(s);
	piece[n++] = xasprintf("highest peak %s MB on stage %d", m, stage);
	piece[n++] = xasprintf("critical path: %s", sim->critical.why);
	if (a->to > a->from) {
		char *from = page_time(a->from), *to = page_time(a->to);
		int hidden = axis_hidden_micros(a, s);

		piece[n++] = hidden > 0
		    ? xasprintf("steady part folded: %s to %s, with %d whole micro-batches", from,
		    to, hidden) : xasprintf("steady part folded: %s to %s", from, to);
		free(from);
		free(to);
	}
	if (thin)
		piece[n++] = xstrdup("blocks narrower than a pixel thinned, each kind in proportion");
	piece[n] = NULL;
	free(t);
	free(m);
}

/* Write the peaks to the right of the rows. If rows are low, only some have room. */
static void
peaks(struct page *p, const struct timeline_layout *l, const struct plot_run *s)
{
	double f = p->font, row = (l->memory_bottom - l->memory_top) / s->stages;
	int every = (int)ceil(1.2 * f / row);

	page_text(p, PAGE_LEFT, l->right + 0.5 * f, l->memory_top - f, COLOUR_INK, "peak, MB");
	for (int stage = 0; stage < s->stages; stage += every) {
		double peak = s->sim.sim.peak_memory.at[stage], limit = run_limit(s, stage);
		char *text = xasprintf("%.0f", peak);

		page_text(p, PAGE_LEFT, l->right + 0.5 * f, l->memory_top + (stage + 0.5) * row,
		    limit > 0 && peak > limit ? COLOUR_OVER : COLOUR_INK, text);
		free(text);
	}
}

static void
lay_out(struct timeline_layout *l, const struct drawing *d, const struct page *p, const struct plot_run *s)
{
	double f = p->font, top = 4.6 * f, space = d->height - l->caption - top;

	l->left = 5 * f;
	l->right = d->width - 6.5 * f;
	l->blocks_top = top;
	/* Rows of blocks are 18 pixels high if possible, and take up to 60 % of the page. */
	l->blocks_bottom = top + fmin(fmax(0.45 * space, 1.8 * f * s->stages), 0.6 * space);
	l->memory_top = l->blocks_bottom + 2.4 * f;
	l->memory_bottom = d->height - l->caption - 4 * f;
}

void
draw_timeline(const struct drawing *d, struct plot_run *s)
{
	double font = draw_font(d);
	FILE *program = gnuplot_open(d->path, d->width, d->height, font);
	struct timeline_layout l = { .caption = 0 };
	struct page page;
	struct axis axis;
	char *piece[8], *title;
	bool thin, shaded;
	double row, memory_row;
	int lines;

	page_open(&page, font);
	l.caption = 4.5 * font;
	lay_out(&l, d, &page, s);
	axis = axis_new(&s, 1, l.right - l.left);
	caption(piece, s, &axis, true);
	lines = page_paragraph(&page, 0, 0, d->width - 2 * font, 0, piece, true);
	for (int i = 0; piece[i] != NULL; i++)
		free(piece[i]);
	l.caption = 1.5 * font * lines + 0.5 * font;
	lay_out(&l, d, &page, s);
	row = (l.blocks_bottom - l.blocks_top) / s->stages;
	axis = axis_new(&s, 1, l.right - l.left);

	thin = draw_blocks(program, "", s, &axis, row, draw_letter(s, &axis, row, font));
	memory_row = (l.memory_bottom - l.memory_top) / s->stages;
	shaded = draw_memory(program, s, &axis, memory_row);
	fprintf(program, "MEMORY_STAGE_STEP = %d\nMEMORY_LABEL = '%s'\n", (int)ceil(1.2 * font / memory_row),
	    l.memory_bottom - l.memory_top > 10 * font ? "memory of stage" : "memory");
	axis_tics(&axis, program, font);
	fprintf(program, "SPAN = %.9g\nSTAGES = %d\nSTAGE_STEP = %d\n", axis_span(&axis), s->stages,
	    (int)ceil(1.2 * font / row));
	fprintf(program, "LEFT = %g\nRIGHT = %g\nBLOCKS_TOP = %g\nBLOCKS_BOTTOM = %g\nMEMORY_TOP = %g\n"
	    "MEMORY_BOTTOM = %g\nFOLD = %d\nFOLD_FROM = %.9g\nFOLD_TO = %.9g\nIDLE = %d\n", l.left, l.right,
	    l.blocks_top, l.blocks_bottom, l.memory_top, l.memory_bottom, axis.to > axis.from,
	    axis_at(&axis, axis.from),
	    axis_at(&axis, axis.to), COLOUR_IDLE);

	title = draw_title(d, s);
	page_title(&page, d->width, title);
	page_legend(&page, l.left, 3.4 * font, d->width - font - l.left, s);
	peaks(&page, &l, s);
	draw_memory_legend(&page, s, l.left, l.memory_top - font, l.right - l.left, shaded);
	caption(piece, s, &axis, thin);
	page_paragraph(&page, font, d->height - l.caption + 0.6 * font, d->width - 2 * font, 1.5 * font,
	    piece, false);
	for (int i = 0; piece[i] != NULL; i++)
		free(piece[i]);
	page_close(&page, program);
	gnuplot_draw(program, "timeline.gp", d->path, title);
	free(title);
}
