/* One strategy: blocks of every stage over time, above the memory of every stage. */
#include <math.h>
#include <stdlib.h>

#include "colour.h"
#include "draw.h"
#include "gnuplot.h"
#include "lib/base/alloc.h"
#include "lib/base/memstream.h"

struct layout {			/* pixels from the top left corner */
	double left, right;	/* of both panels */
	double blocks_top, blocks_bottom;
	double memory_top, memory_bottom;
	double caption;
	int key_columns;	/* of stages; 0: a strip of colours */
};

struct range {			/* MB */
	double low, high;
};

/* The caption's sentences, ended by NULL; to be freed one by one. */
static void
caption(char *piece[8], const struct run *s, const struct axis *a, bool thin)
{
	const struct sim *sim = &s->sim.sim;
	const struct plan *plan = &s->plan.plan;
	int n = 0, stage;
	double peak = run_peak(s, &stage);
	char *t = page_number(sim->step_time), *m = page_number(peak), *u;

	if (s->plan.kind == RECORD_PLAN && GIVEN(plan, plan, lower_bound)) {
		double above = 100 * (sim->step_time / plan->lower_bound - 1);

		u = page_number(plan->lower_bound);
		piece[n++] = above < 0.005 ? xasprintf("step time %s ms, the best possible", t)
		    : xasprintf("step time %s ms, at most %.2f %% above the best possible (bound %s)", t,
		    above, u);
		free(u);
	} else
		piece[n++] = xasprintf("step time %s ms", t);
	piece[n++] = draw_bubble(s);
	piece[n++] = xasprintf("%d stage%s, %d micro-batch%s, schedule %s", s->stages, s->stages == 1 ? "" : "s",
	    s->micros, s->micros == 1 ? "" : "es", schedule_names[sim->schedule]);
	piece[n++] = xasprintf("highest peak %s MB on stage %d", m, stage);
	piece[n++] = xasprintf("critical path: %s", sim->critical.why);
	if (a->to > a->from) {
		char *from = page_number(a->from), *to = page_number(a->to);
		int hidden = axis_hidden_micros(a, s);

		piece[n++] = hidden > 0
		    ? xasprintf("steady part folded: %s to %s ms, with %d whole micro-batches in it", from,
		    to, hidden) : xasprintf("steady part folded: %s to %s ms", from, to);
		free(from);
		free(to);
	}
	if (thin)
		piece[n++] = xstrdup("blocks narrower than a pixel thinned, each kind in proportion");
	piece[n] = NULL;
	free(t);
	free(m);
}

/* Memory of a stage over the changes that half a pixel holds: what it was before them, has been, and is then. */
struct column {
	double at;
	double before, low, high, now;
};

static void
put_column(FILE *program, const struct column *c, int rgb)
{
	fprintf(program, "%.9g\t%.8g\t%d\n", c->at, c->before, rgb);
	if (c->low < fmin(c->before, c->now))
		fprintf(program, "%.9g\t%.8g\t%d\n", c->at, c->low, rgb);
	if (c->high > fmax(c->before, c->now))
		fprintf(program, "%.9g\t%.8g\t%d\n", c->at, c->high, rgb);
	fprintf(program, "%.9g\t%.8g\t%d\n", c->at, c->now, rgb);
}

/* The curves, at most eight points a pixel, and the peaks. */
static void
memory(FILE *program, const struct run *s, const struct axis *a)
{
	double width = axis_span(a) / a->pixels / 2;
	char *peaks = NULL;
	size_t size;
	FILE *peak = memstream_open(&peaks, &size);

	fputs("$memory << EOD\n", program);
	for (int stage = 0; stage < s->stages; stage++) {
		int rgb = colour_stage(stage, s->stages);
		double now = run_static_memory(s, stage), best = now, best_x = 0;
		struct column c = { 0, now, now, now, now };

		for (size_t i = s->first[stage]; i < s->first[stage + 1]; i++) {
			const struct bar *b = &s->bar[i];
			double at = axis_at(a, b->end);

			if (at - c.at >= width) {
				put_column(program, &c, rgb);
				c = (struct column){ at, c.now, c.now, c.now, c.now };
			}
			if (b->memory > best) {
				best = b->memory;
				best_x = at;
			}
			c.low = fmin(c.low, b->memory);
			c.high = fmax(c.high, b->memory);
			c.now = b->memory;
		}
		put_column(program, &c, rgb);
		fprintf(program, "%.9g\t%.8g\t%d\n\n", axis_span(a), c.now, rgb);
		fprintf(peak, "%.9g\t%.8g\t%d\n", best_x, best, rgb);
	}
	memstream_close(peak);
	fprintf(program, "EOD\n$peak << EOD\n%sEOD\n$limit << EOD\n", peaks);
	free(peaks);
	/* One line, or each stage's own in its colour. */
	for (int i = 0; i < s->sim.sim.memory_limit.n; i++)
		fprintf(program, "0\t%.8g\t%.9g\t%d\n", s->sim.sim.memory_limit.at[i], axis_span(a),
		    s->sim.sim.memory_limit.n == 1 ? COLOUR_LIMIT : colour_stage(i, s->stages));
	fputs("EOD\n", program);
}

static struct range
memory_range(const struct run *s)
{
	int stage;
	struct range r = { HUGE_VAL, run_peak(s, &stage) };

	for (stage = 0; stage < s->stages; stage++) {
		r.low = fmin(r.low, run_static_memory(s, stage));
		r.high = fmax(r.high, run_limit(s, stage));
	}
	for (size_t i = 0; i < s->n; i++) {
		r.low = fmin(r.low, s->bar[i].memory);
		r.high = fmax(r.high, s->bar[i].memory);
	}
	/* From zero: half as long a way is half as much memory. */
	r.low = fmin(0, r.low);
	if (r.high <= r.low)
		r.high = r.low + 1;
	r.high += (r.high - r.low) * 0.06;
	return r;
}

static double
key_height(const struct page *p)
{
	return 1.35 * p->font;
}

/* Stages with their peaks right of the curves, or a strip of colours where there are too many for that. */
static void
key(struct page *p, const struct layout *l, const struct run *s)
{
	double x = l->right + p->font, y = l->memory_top + p->font / 2, f = p->font;
	const struct list *limit = &s->sim.sim.memory_limit, *peak = &s->sim.sim.peak_memory;
	char *text;

	if (limit->n > 0) {
		double low = limit->at[0], high = low;

		for (int i = 1; i < limit->n; i++) {
			low = fmin(low, limit->at[i]);
			high = fmax(high, limit->at[i]);
		}
		text = low < high ? xasprintf("limits %.0f … %.0f", low, high) : xasprintf("limit %.0f", low);
		page_line(p, x, y, 1.6 * f, limit->n == 1 ? COLOUR_LIMIT : COLOUR_QUIET);
		page_text(p, PAGE_LEFT, x + 2 * f, y, COLOUR_INK, text);
		free(text);
	}
	y += key_height(p);
	page_text(p, PAGE_LEFT, x, y, COLOUR_INK, "stage: peak, MB");
	y += key_height(p);
	if (l->key_columns > 0) {
		int rows = (s->stages + l->key_columns - 1) / l->key_columns;

		for (int i = 0; i < s->stages; i++) {
			double cx = x + i / rows * 7.2 * f, cy = y + i % rows * key_height(p);

			page_box(p, cx, cy - 0.2 * f, 0.8 * f, 0.4 * f, colour_stage(i, s->stages));
			text = xasprintf("%d: %.0f", i, peak->at[i]);
			page_text(p, PAGE_LEFT, cx + 1.1 * f, cy, COLOUR_INK, text);
			free(text);
		}
		return;
	}
	/* The strip: one cell a stage, as many labels as fit. */
	y += f / 2;
	double cell = (l->memory_bottom - y + f / 2) / s->stages;
	int every = (int)ceil(key_height(p) / cell);

	for (int i = 0; i < s->stages; i++) {
		double cy = y - f / 2 + i * cell;

		page_box(p, x, cy, 1.5 * f, cell + 0.5, colour_stage(i, s->stages));
		if (i % every == 0) {
			text = xasprintf("%d: %.0f", i, peak->at[i]);
			page_text(p, PAGE_LEFT, x + 1.9 * f, cy + cell / 2, COLOUR_INK, text);
			free(text);
		}
	}
}

static void
lay_out(struct layout *l, const struct drawing *d, const struct page *p, const struct run *s,
    struct range range)
{
	double f = p->font, top = 4.6 * f, space = d->height - l->caption - top;
	int rows;

	l->left = fmax(6.5, 3.2 + 0.65 * snprintf(NULL, 0, "%.0f", range.high)) * f;
	l->blocks_top = top;
	/* Rows of blocks want 18 pixels, but never more than 60 % of the page. */
	l->blocks_bottom = top + fmin(fmax(0.45 * space, 1.8 * f * s->stages), 0.6 * space);
	l->memory_top = l->blocks_bottom + 1.2 * f;
	l->memory_bottom = d->height - l->caption - 4 * f;
	rows = (int)((l->memory_bottom - l->memory_top) / key_height(p)) - 2;
	l->key_columns = rows < 1 ? 0 : (s->stages + rows - 1) / rows;
	if (l->key_columns > 2)
		l->key_columns = 0;
	l->right = d->width - (l->key_columns == 2 ? 16 : 11) * f;
}

void
draw_timeline(const struct drawing *d, struct run *s)
{
	double font = draw_font(d);
	FILE *program = gnuplot_open(d->path, d->width, d->height, font);
	struct layout l = { .caption = 0 };
	struct range range = memory_range(s);
	struct page page;
	struct axis axis;
	char *piece[8], *title;
	bool thin;
	double row;
	int lines;

	page_open(&page, font);
	l.caption = 4.5 * font;
	lay_out(&l, d, &page, s, range);
	axis = axis_new(&s, 1, l.right - l.left);
	caption(piece, s, &axis, true);
	lines = page_paragraph(&page, 0, 0, d->width - 2 * font, 0, piece, true);
	for (int i = 0; piece[i] != NULL; i++)
		free(piece[i]);
	l.caption = 1.5 * font * lines + 0.5 * font;
	lay_out(&l, d, &page, s, range);
	row = (l.blocks_bottom - l.blocks_top) / s->stages;
	axis = axis_new(&s, 1, l.right - l.left);

	thin = draw_blocks(program, "", s, &axis, row, draw_letter(s, &axis, row, font));
	memory(program, s, &axis);
	fprintf(program, "MEMORY_LOW = %.8g\nMEMORY_HIGH = %.8g\n", range.low, range.high);
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
	free(title);
	page_legend(&page, l.left, 3.4 * font, d->width - font - l.left, s);
	key(&page, &l, s);
	caption(piece, s, &axis, thin);
	page_paragraph(&page, font, d->height - l.caption + 0.6 * font, d->width - 2 * font, 1.5 * font,
	    piece, false);
	for (int i = 0; piece[i] != NULL; i++)
		free(piece[i]);
	page_close(&page, program);
	gnuplot_draw(program, "timeline.gp", d->path);
}
