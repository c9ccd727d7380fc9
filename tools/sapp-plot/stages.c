/*
 * Stages: draws a bar for the time and a bar for the memory of each stage. The parts of a bar show what uses the time
 * or the memory.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/alloc.h"
#include "lib/model/offload.h"
#include "lib/simulate/load.h"
#include "colour.h"
#include "draw.h"
#include "gnuplot.h"

enum { COLOUR_RECOMPUTE = 0xcc79a7 };

/* Return the latest pipeline record that matches a plan, or NULL. */
static const struct pipeline *
question_of(const struct plot_runs *all, const struct plot_run *s)
{
	const struct plan *p = &s->plan.plan;
	const struct pipeline *asked = NULL;

	for (size_t i = 0; i < all->kept.n; i++) {
		const struct record *r = &all->kept.at[i];

		if (r->kind == RECORD_PIPELINE && r->pipeline.stages == p->offset.stages &&
		    (asked == NULL || r->pipeline.schedule == p->schedule))
			asked = &r->pipeline;
	}
	return asked;
}

static struct shape
shape_of(const struct plan *p, const struct pipeline *asked, const struct plot_run *s)
{
	struct shape q = plan_shape(p, asked);

	if (q.micro == 0)
		q.micro = s->micros;
	return q;
}

/* Get the load of the simulated pieces. Return false unless the stream has chunks, or the plan with its layers. */
static bool
load_of(const struct plot_runs *all, const struct plot_run *s, struct load *load)
{
	bool known = false, layers = false;

	for (size_t i = 0; i < all->kept.n; i++) {
		const struct record *r = &all->kept.at[i];

		layers |= r->kind == RECORD_LAYER;
		if (r->kind == RECORD_CHUNKS && !known && strcmp(r->chunks.name, s->name) == 0) {
			*load = load_from_chunks(&r->chunks);
			known = true;
		}
	}
	if (!known && layers && s->plan.kind == RECORD_PLAN) {
		struct network net = network_from_records(&all->kept, NULL);

		const struct pipeline *asked = question_of(all, s);
		struct shape q = shape_of(&s->plan.plan, asked, s);
		struct devices devices = { 0 };

		if (asked != NULL && asked->offload > 0) {
			devices.speed = asked->speed;
			network_link(&net, asked->offload, asked->speed);
		}
		load_check(&s->plan.plan, &net, &q, s->plan.place);
		*load = load_from_plan(&s->plan.plan, &net, &q, &devices);
		network_free(&net);
		known = true;
	}
	if (known && (load->stages != s->stages || load->chunks < s->chunks)) {
		load_free(load);
		known = false;
	}
	return known;
}

/* Return the fraction of a backward, whole or split, that is recomputation at its start. */
static double
recompute_share(const struct load *load, const struct bar *b)
{
	size_t i = (size_t)b->chunk * (size_t)load->stages + (size_t)b->stage;
	double whole = load->backward.at[i] - (b->phase == PHASE_I ? load->weight.at[i] : 0);

	if (b->phase != PHASE_B && b->phase != PHASE_I)
		return 0;
	return whole > 0 ? (load->backward.at[i] - load->plain.at[i]) / whole : 0;
}

static void
bar(FILE *f, double *x, double length, int stage, int rgb)
{
	if (length > 0)
		fprintf(f, "%.9g\t%.9g\t%d\t%d\n", *x, *x + length, stage, rgb);
	*x += fmax(0, length);
}

/* Write the bars of time. LOAD NULL: recomputation is not separate. Two overlapping blocks count half each. */
static void
time_bars(FILE *f, const struct plot_run *s, const struct load *load, double idle[])
{
	for (int stage = 0; stage < s->stages; stage++) {
		double busy[PHASES] = { 0 }, extra = 0, x = 0;

		for (size_t i = s->first[stage]; i < s->first[stage + 1]; i++) {
			const struct bar *b = &s->bar[i];
			double time = (b->end - b->start) * (run_part(s, i) == RUN_WHOLE ? 1 : 0.5);
			double again = load != NULL ? time * recompute_share(load, b) : 0;

			busy[b->phase] += time - again;
			extra += again;
		}
		for (int phase = 0; phase < PHASES; phase++)
			bar(f, &x, busy[phase], stage, colour_block((enum phase)phase, 0, 1));
		bar(f, &x, extra, stage, COLOUR_RECOMPUTE);
		idle[stage] = fmax(0, s->sim.sim.step_time - x);
		bar(f, &x, idle[stage], stage, COLOUR_IDLE);
	}
}

static void
memory_bars(FILE *f, const struct plot_run *s)
{
	for (int stage = 0; stage < s->stages; stage++) {
		double fixed = run_static_memory(s, stage), peak = s->sim.sim.peak_memory.at[stage];
		double limit = run_limit(s, stage), x = 0, within = limit > 0 ? fmin(peak, limit) : peak;

		/* gnuplot requires at least one box. */
		fprintf(f, "0\t0\t%d\t%d\n", stage, COLOUR_PARAMETER);
		bar(f, &x, fmin(fixed, within), stage, COLOUR_PARAMETER);
		bar(f, &x, within - x, stage, COLOUR_ACTIVATION);
		bar(f, &x, limit > 0 ? limit - x : 0, stage, COLOUR_IDLE);
		bar(f, &x, peak - fmax(within, x), stage, COLOUR_OVER);
	}
}

/* A legend that is broken into lines. */
struct legend {
	struct page *page;
	double left, right;	/* pixels */
	double x, y;		/* position of the next entry */
};

static void
entry(struct legend *l, int rgb, const char *text)
{
	double f = l->page->font, end = l->x + 1.9 * f + page_width(l->page, text);

	if (end > l->right && l->x > l->left) {
		end -= l->x - l->left;
		l->x = l->left;
		l->y += 1.5 * f;
	}
	page_box(l->page, l->x, l->y - f / 2, 1.5 * f, f, rgb);
	page_text(l->page, PAGE_LEFT, l->x + 1.9 * f, l->y, COLOUR_INK, text);
	l->x = end + 1.2 * f;
}

/* Draw the legends of both halves. Return the position of the lower end. */
static double
legends(struct page *p, const struct plot_run *s, double left, double middle, double right, bool split, bool over)
{
	double f = p->font;
	struct legend time = { p, left, middle, left, 3.4 * f };
	struct legend memory = { p, middle + 2 * f, right, middle + 2 * f, 3.4 * f };

	for (int phase = 0; phase < PHASES; phase++)
		if (s->phase[phase])
			entry(&time, colour_block((enum phase)phase, 0, 1), phase_words[phase]);
	if (split)
		entry(&time, COLOUR_RECOMPUTE, "recompute");
	entry(&time, COLOUR_IDLE, "idle");
	entry(&memory, COLOUR_PARAMETER, "parameters");
	entry(&memory, COLOUR_ACTIVATION, "activations");
	if (s->sim.sim.memory_limit.n > 0)
		entry(&memory, COLOUR_IDLE, "free");
	if (over)
		entry(&memory, COLOUR_OVER, "over the limit");
	return fmax(time.y, memory.y);
}

/* Write the sum after each bar. If rows are low, only some have room for text. */
static void
amounts(struct page *p, const struct plot_run *s, const double idle[], double top, double row, double x_time,
    double x_memory)
{
	int every = (int)ceil(1.2 * p->font / row);
	char *text;

	for (int stage = 0; stage < s->stages; stage += every) {
		double y = top + (stage + 0.5) * row;

		text = xasprintf("%.1f %%", 100 * idle[stage] / fmax(1e-300, s->sim.sim.step_time));
		page_text(p, PAGE_LEFT, x_time, y, COLOUR_INK, text);
		free(text);
		text = xasprintf("%.0f", s->sim.sim.peak_memory.at[stage]);
		page_text(p, PAGE_LEFT, x_memory, y, COLOUR_INK, text);
		free(text);
	}
}

/* Draw measurements of a real run as diamonds: work and peak of each stage. */
static void
measured(struct page *p, const struct plot_run *s, double top, double row, double x_time, double per_ms,
    double x_memory,
    double per_mb)
{
	enum { DIAMOND = 13 };	/* number of gnuplot's point type */

	for (int stage = 0; stage < s->stages; stage++) {
		double y = top + (stage + 0.5) * row, peak = run_measured(s, COMPARED_PEAK, stage);
		double work = run_measured(s, COMPARED_FORWARD, stage) + run_measured(s, COMPARED_BACKWARD, stage);

		if (!isnan(work))
			page_point(p, x_time + work * per_ms, y, DIAMOND, COLOUR_LIMIT);
		if (!isnan(peak))
			page_point(p, x_memory + peak * per_mb, y, DIAMOND, COLOUR_LIMIT);
	}
}

void
draw_stages(const struct drawing *d, const struct plot_runs *all, struct plot_run *s)
{
	double f = draw_font(d), top, bottom, row;
	double left = 5 * f, middle = d->width / 2.0, right = d->width - 6.5 * f, most = 0;
	double *idle = xcalloc((size_t)s->stages, sizeof *idle);
	struct load load = { 0 };
	bool split = load_of(all, s, &load), over = false;
	FILE *program = gnuplot_open(d->path, d->width, d->height, f);
	char *title;
	char *step = page_time(s->sim.sim.step_time);
	char *caption[] = { xasprintf("step time %s", step), draw_bubble(s),
		NULL, NULL, NULL, NULL };
	struct page page;
	int lines, words = 2;

	if (!split)
		caption[words++] = xstrdup("backward includes recomputation");
	if (s->comparison.kind == RECORD_COMPARISON) {
		caption[words++] = xstrdup("diamonds: measured");
		caption[words++] = xstrdup(s->comparison.comparison.cause);
	}
	page_open(&page, f);
	for (int stage = 0; stage < s->stages; stage++) {
		most = fmax(most, fmax(run_limit(s, stage), s->sim.sim.peak_memory.at[stage]));
		if (!isnan(run_measured(s, COMPARED_PEAK, stage)))
			most = fmax(most, run_measured(s, COMPARED_PEAK, stage));
		over |= run_limit(s, stage) > 0 && s->sim.sim.peak_memory.at[stage] > run_limit(s, stage);
	}
	top = legends(&page, s, left, middle, d->width - f, split, over) + 2.8 * f;
	lines = page_paragraph(&page, 0, 0, d->width - 2 * f, 0, caption, true);
	bottom = d->height - (5.1 + 1.5 * lines) * f;
	row = (bottom - top) / s->stages;
	fputs("$time << EOD\n", program);
	time_bars(program, s, split ? &load : NULL, idle);
	fputs("EOD\n$memory << EOD\n", program);
	memory_bars(program, s);
	fprintf(program,
	    "EOD\nSTAGES = %d\nSTAGE_STEP = %d\nTOP = %g\nBOTTOM = %g\nTIME_LEFT = %g\nTIME_RIGHT = %g\n"
	    "MEMORY_LEFT = %g\nMEMORY_RIGHT = %g\nTIME_MOST = %.9g\nMEMORY_MOST = %.9g\n", s->stages,
	    (int)ceil(1.2 * f / row), top, bottom, left, middle - 6.5 * f, middle + 2 * f, right,
	    fmax(1e-300, s->sim.sim.step_time), fmax(1, most));
	fprintf(program, "TIME_STEP = %.9g\nMEMORY_STEP = %.9g\n",
	    axis_round(fmax(1e-300, s->sim.sim.step_time) * 7 * f / (middle - 6.5 * f - left)),
	    axis_round(fmax(1, most) * 7 * f / (right - middle - 2 * f)));

	title = draw_title(d, s);
	page_title(&page, d->width, title);
	page_text(&page, PAGE_LEFT, middle - 6 * f, top - 0.9 * f, COLOUR_INK, "idle");
	page_text(&page, PAGE_LEFT, right + 0.5 * f, top - 0.9 * f, COLOUR_INK, "peak");
	amounts(&page, s, idle, top, row, middle - 6 * f, right + 0.5 * f);
	measured(&page, s, top, row, left, (middle - 6.5 * f - left) / fmax(1e-300, s->sim.sim.step_time),
	    middle + 2 * f, (right - middle - 2 * f) / fmax(1, most));
	page_paragraph(&page, f, d->height - (1.5 * lines - 0.1) * f, d->width - 2 * f, 1.5 * f, caption, false);
	page_close(&page, program);
	gnuplot_draw(program, "stages.gp", d->path, title);
	free(title);
	for (int i = 0; i < words; i++)
		free(caption[i]);
	free(step);
	load_free(&load);
	free(idle);
}
