/* Where the time and the memory of each stage go, as bars. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "colour.h"
#include "draw.h"
#include "gnuplot.h"
#include "lib/alloc.h"
#include "lib/load.h"

enum { COLOUR_RECOMPUTE = 0xcc79a7, COLOUR_PARAMETER = 0x0072b2, COLOUR_ACTIVATION = 0x56b4e9 };

/* Extra backward time of a stage, ms a step; known when the stream has what was simulated. */
static bool
recompute_times(const struct runs *all, const struct run *s, double extra[])
{
	struct load load = { 0 };
	bool known = false, layers = false;

	for (size_t i = 0; i < all->kept.n; i++) {
		const struct record *r = &all->kept.at[i];

		layers |= r->kind == RECORD_LAYER;
		if (r->kind == RECORD_CHUNKS && !known && strcmp(r->chunks.name, s->name) == 0) {
			load = load_from_chunks(&r->chunks);
			known = true;
		}
	}
	if (!known && layers && s->plan.kind == RECORD_PLAN) {
		struct network net = network_from_records(&all->kept, NULL);

		load_check(&s->plan.plan, &net, s->stages, s->plan.place);
		load = load_from_plan(&s->plan.plan, &net, 0);
		network_free(&net);
		known = true;
	}
	if (!known || load.stages != s->stages) {
		load_free(&load);
		return false;
	}
	for (int v = 0; v < load.chunks; v++)
		for (int stage = 0; stage < s->stages; stage++) {
			size_t i = (size_t)v * (size_t)load.stages + (size_t)stage;

			extra[stage] += s->micros * (load.backward.at[i] - load.plain.at[i]);
		}
	load_free(&load);
	return true;
}

static void
bar(FILE *f, double *x, double length, int stage, int rgb)
{
	if (length > 0)
		fprintf(f, "%.9g\t%.9g\t%d\t%d\n", *x, *x + length, stage, rgb);
	*x += fmax(0, length);
}

static void
time_bars(FILE *f, const struct run *s, const double extra[], double idle[])
{
	for (int stage = 0; stage < s->stages; stage++) {
		double busy[PHASES] = { 0 }, x = 0;

		for (size_t i = s->first[stage]; i < s->first[stage + 1]; i++)
			busy[s->bar[i].phase] += s->bar[i].end - s->bar[i].start;
		/* Recomputation comes before the backward, whole or split. */
		busy[busy[PHASE_B] > 0 ? PHASE_B : PHASE_I] -= extra[stage];
		for (int phase = 0; phase < PHASES; phase++)
			bar(f, &x, busy[phase], stage, colour_block((enum phase)phase, 0, 1));
		bar(f, &x, extra[stage], stage, COLOUR_RECOMPUTE);
		idle[stage] = s->sim.sim.step_time - x;
		bar(f, &x, idle[stage], stage, COLOUR_IDLE);
	}
}

static void
memory_bars(FILE *f, const struct run *s)
{
	for (int stage = 0; stage < s->stages; stage++) {
		double fixed = run_static_memory(s, stage), peak = s->sim.sim.peak_memory.at[stage];
		double limit = run_limit(s, stage), x = 0, within = limit > 0 ? fmin(peak, limit) : peak;

		bar(f, &x, fmin(fixed, within), stage, COLOUR_PARAMETER);
		bar(f, &x, within - x, stage, COLOUR_ACTIVATION);
		bar(f, &x, limit > 0 ? limit - x : 0, stage, COLOUR_IDLE);
		bar(f, &x, peak - fmax(within, x), stage, COLOUR_OVER);
	}
}

static double
entry(struct page *p, double x, double y, int rgb, const char *text)
{
	page_box(p, x, y - p->font / 2, 1.5 * p->font, p->font, rgb);
	page_text(p, PAGE_LEFT, x + 1.9 * p->font, y, COLOUR_INK, text);
	return x + 3.1 * p->font + page_width(p, text);
}

/* What a bar amounts to, behind it, where rows are high enough for letters. */
static void
amounts(struct page *p, const struct run *s, const double idle[], double top, double row, double x_time,
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

void
draw_stages(const struct drawing *d, const struct runs *all, struct run *s)
{
	double f = draw_font(d), top = 6.2 * f, bottom = d->height - 6.6 * f,
	    row = (bottom - top) / s->stages;
	double left = 5 * f, middle = d->width / 2.0, right = d->width - 6.5 * f, most = 0, x;
	double *extra = xcalloc((size_t)s->stages, sizeof *extra),
	    *idle = xcalloc((size_t)s->stages, sizeof *idle);
	bool split = recompute_times(all, s, extra), over = false;
	FILE *program = gnuplot_open(d->path, d->width, d->height, f);
	char *bubble = draw_bubble(s), *step = page_number(s->sim.sim.step_time), *text;
	struct page page;

	for (int stage = 0; stage < s->stages; stage++) {
		most = fmax(most, fmax(run_limit(s, stage), s->sim.sim.peak_memory.at[stage]));
		over |= run_limit(s, stage) > 0 && s->sim.sim.peak_memory.at[stage] > run_limit(s, stage);
	}
	fputs("$time << EOD\n", program);
	time_bars(program, s, extra, idle);
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

	page_open(&page, f);
	page_text(&page, PAGE_TITLE, f, 1.5 * f, COLOUR_INK, d->title != NULL ? d->title : s->name);
	x = left;
	for (int phase = 0; phase < PHASES; phase++)
		if (s->phase[phase])
			x = entry(&page, x, 3.4 * f, colour_block((enum phase)phase, 0, 1),
			    phase_words[phase]);
	if (split)
		x = entry(&page, x, 3.4 * f, COLOUR_RECOMPUTE, "recompute");
	entry(&page, x, 3.4 * f, COLOUR_IDLE, "idle");
	x = entry(&page, middle + 2 * f, 3.4 * f, COLOUR_PARAMETER, "parameters");
	x = entry(&page, x, 3.4 * f, COLOUR_ACTIVATION, "activations");
	if (s->sim.sim.memory_limit.n > 0)
		x = entry(&page, x, 3.4 * f, COLOUR_IDLE, "free");
	if (over)
		entry(&page, x, 3.4 * f, COLOUR_OVER, "over the limit");
	page_text(&page, PAGE_LEFT, middle - 6 * f, top - 0.9 * f, COLOUR_INK, "idle");
	page_text(&page, PAGE_LEFT, right + 0.5 * f, top - 0.9 * f, COLOUR_INK, "peak");
	amounts(&page, s, idle, top, row, middle - 6 * f, right + 0.5 * f);
	text = xasprintf("step time %s ms · %s%s", step, bubble, split ? ""
	    : " · backward includes recomputation");
	page_text(&page, PAGE_LEFT, f, d->height - 1.4 * f, COLOUR_INK, text);
	page_close(&page, program);
	gnuplot_draw(program, "stages.gp", d->path);
	free(text);
	free(step);
	free(bubble);
	free(extra);
	free(idle);
}
