/* HTML: writes an interactive page without other files. Uses share/timeline.html. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/alloc.h"
#include "lib/base/memstream.h"
#include "lib/base/slurp.h"
#include "colour.h"
#include "draw.h"
#include "page.h"
#include "template.h"

enum { NOTE_BYTES = 1 << 20 };

static void
list(FILE *f, const char *name, const struct list *l)
{
	fprintf(f, ",\n\"%s\":[", name);
	for (int i = 0; i < l->n; i++)
		fprintf(f, "%s%.9g", i > 0 ? "," : "", l->at[i]);
	putc(']', f);
}

static void
phase(FILE *f, enum phase p, struct plot_run *const s[], int n)
{
	fputs("{\"name\":", f);
	template_string(f, phase_words[p]);
	fputs(",\"colours\":[", f);
	for (int i = 0; i < n; i++) {
		fputs(i > 0 ? ",[" : "[", f);
		for (int chunk = 0; chunk < s[i]->chunks; chunk++) {
			int rgb = colour_block(p, chunk, s[i]->chunks);

			fprintf(f, "%s{\"fill\":\"#%06x\",\"text\":\"#%06x\"}", chunk > 0 ? "," : "", rgb,
			    colour_text_on(rgb));
		}
		putc(']', f);
	}
	fputs("]}", f);
}

/* Return step time, gap and fit, for the title line. */
static char *
verdict(const struct plot_run *s)
{
	char *step = page_time(s->sim.sim.step_time), *gap, *text;
	double above = 100 * run_gap(s);
	int worst = run_over(s);

	gap = above < 0 ? xstrdup("") : above < 0.005 ? xstrdup(", the best possible")
	    : xasprintf(", gap at most %.2f %%", above);
	if (worst >= 0)
		text = xasprintf("%s%s: DOES NOT FIT, %.0f MB too much on stage %d", step, gap,
		    s->sim.sim.peak_memory.at[worst] - run_limit(s, worst), worst);
	else
		text = xasprintf("%s%s%s", step, gap, s->sim.sim.memory_limit.n > 0 ? ", fits" : "");
	free(gap);
	free(step);
	return text;
}

static void
member(FILE *f, const char *name, char *text)
{
	fprintf(f, ",\n\"%s\":", name);
	template_string(f, text);
	free(text);
}

/* Return " · shorter without: 12.3 ms: stage 3 takes ...; ..." with all prices. */
static char *
prices(const struct sim *sim)
{
	const struct price *at = sim->prices.at;
	char *text;
	size_t size;
	FILE *f = memstream_open(&text, &size);

	for (int i = 0; i < sim->prices.n; i++)
		fprintf(f, "%s%.4g ms: %s", i == 0 ? " · shorter without: " : "; ", at[i].time, at[i].text);
	memstream_close(f);
	return text;
}

static int
grid_of(const struct grid *g, int chunk, int stage)
{
	return chunk < g->chunks && stage < g->stages ? g->at[chunk * g->stages + stage] : 0;
}

/*
 * Write the contents of each piece, [stage][chunk]: "2 LlamaDecodeLayer: 1 select, 1 both"; "" if no plan has the
 * pieces.
 */
static void
holdings(FILE *f, const struct plot_run *s)
{
	const struct plan *p = &s->plan.plan;
	const struct body_counts *body = s->plan.kind == RECORD_PLAN ? p->counts.at : NULL;

	fputs(",\n\"holds\":[", f);
	for (int stage = 0; stage < s->stages; stage++)
		for (int chunk = 0; chunk < s->chunks; chunk++) {
			char *text;
			size_t size;
			FILE *m = memstream_open(&text, &size);

			for (int i = 0, comma = 0; body != NULL && i < p->counts.n; i++) {
				const char *separator = ": ";
				int all = 0;

				for (int k = 0; k < RECOMPUTE_KINDS; k++)
					all += grid_of(&body[i].kind[k], chunk, stage);
				if (all > 0)
					fprintf(m, "%s%d %s", comma++ > 0 ? "; " : "", all, body[i].name);
				for (int k = 0; all > 0 && k < RECOMPUTE_KINDS; k++) {
					int n = grid_of(&body[i].kind[k], chunk, stage);

					if (n == 0)
						continue;
					fprintf(m, "%s%d %s", separator, n,
					    k == RECOMPUTE_NONE ? "kept" : recompute_names[k]);
					separator = ", ";
				}
			}
			memstream_close(m);
			fputs(chunk > 0 ? "," : stage > 0 ? "],[" : "[", f);
			template_string(f, text);
			free(text);
		}
	fputs(s->stages > 0 ? "]]" : "]", f);
}

/* Write the settings of a plan by framework, or the reason for their absence. */
static void
settings(FILE *f, const struct records *all, const char *name)
{
	const char *comma = "";

	fputs(",\n\"settings\":[", f);
	for (size_t i = 0; i < all->n; i++) {
		const struct settings_text *t = &all->at[i].settings;
		char *text;
		size_t size;
		FILE *m;

		if (strcmp(t->name, name) != 0)
			continue;
		m = memstream_open(&text, &size);
		for (int k = 0; k < t->lines.n; k++)
			fprintf(m, "%s\n", t->lines.at[k]);
		memstream_close(m);
		fprintf(f, "%s{\"name\":", comma);
		template_string(f, t->format);
		if (GIVEN(settings_text, t, lines))
			member(f, "text", text);
		else
			member(f, "why", xstrdup(t->why != NULL ? t->why : "no settings"));
		if (!GIVEN(settings_text, t, lines))
			free(text);
		putc('}', f);
		comma = ",\n";
	}
	putc(']', f);
}

static void
run(FILE *f, const struct plot_run *s, const struct records *texts)
{
	const struct sim *sim = &s->sim.sim;
	const struct drawing untitled = { .title = NULL };
	char *bubble = draw_bubble(s), *price = prices(sim);

	fputs("{\"name\":", f);
	template_string(f, s->name);
	member(f, "title", draw_title(&untitled, s));
	member(f, "verdict", verdict(s));
	member(f, "summary", xasprintf("%s · critical path: %s%s", bubble, sim->critical.why, price));
	free(price);
	fprintf(f, ",\n\"schedule\":\"%s\",\"step\":%.12g,\"bubble\":%.9g,\"waiting\":%.9g,\"stages\":%d,\"chunks\":%d,"
	    "\"micros\":%d,\"over\":%s", schedule_names[sim->schedule], sim->step_time, sim->bubble.real,
	    bubble_waiting(&sim->bubble), s->stages, s->chunks, s->micros, run_over(s) >= 0 ? "true" : "false");
	if (run_gap(s) >= 0)
		fprintf(f, ",\"gap\":%.9g,\"phases\":[", run_gap(s));
	else
		fputs(",\"gap\":null,\"phases\":[", f);
	for (int p = 0, comma = 0; p < PHASES; p++)
		if (s->phase[p])
			fprintf(f, "%s%d", comma++ > 0 ? "," : "", p);
	putc(']', f);
	list(f, "peak", &sim->peak_memory);
	list(f, "limit", &sim->memory_limit);
	list(f, "comm", &sim->comm_time);
	fputs(",\n\"fixed\":[", f);
	for (int stage = 0; stage < s->stages; stage++)
		fprintf(f, "%s%.9g", stage > 0 ? "," : "", run_static_memory(s, stage));
	putc(']', f);
	holdings(f, s);
	settings(f, texts, s->name);
	fputs(",\n\"bars\":[", f);
	for (size_t i = 0; i < s->n; i++) {
		const struct bar *b = &s->bar[i];

		fprintf(f, "%s%d,%d,%d,%d,%.12g,%.12g,%.9g,%.9g,%.9g", i > 0 ? ",\n" : "", b->stage, b->chunk,
		    b->micro, b->phase, b->start, b->end, b->memory, b->peak, b->recompute);
	}
	fputs("]}", f);
	free(bubble);
}

void
draw_html(const struct drawing *d, const struct plot_runs *all, struct plot_run *const s[], int n)
{
	struct template page;
	double longest = 0;
	size_t length;
	FILE *f;

	template_open(&page, "timeline.html", d->path);
	f = page.file;
	fputs("{\"title\":", f);
	template_string(f, d->title != NULL ? d->title : "");
	member(f, "note", d->note != NULL ? slurp(d->note, NOTE_BYTES, &length) : xstrdup(""));
	for (int i = 0; i < n; i++) {
		longest = fmax(longest, s[i]->sim.sim.step_time);
		for (size_t b = 0; b < s[i]->n; b++)
			longest = fmax(longest, s[i]->bar[b].end);
	}
	fprintf(f, ",\"length\":%.12g,\n\"phases\":[", longest > 0 ? longest : 1);
	for (int p = 0; p < PHASES; p++) {
		fputs(p > 0 ? ",\n" : "", f);
		phase(f, (enum phase)p, s, n);
	}
	fputs("],\n\"runs\":[", f);
	for (int i = 0; i < n; i++) {
		fputs(i > 0 ? ",\n" : "", f);
		run(f, s[i], &all->settings);
	}
	fputs("]}", f);
	template_close(&page);
}
