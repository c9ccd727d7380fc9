/* One page with everything in it, to zoom and point at. share/timeline.html */
#include <err.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "colour.h"
#include "draw.h"
#include "gnuplot.h"
#include "lib/base/alloc.h"
#include "lib/base/output.h"
#include "lib/base/share.h"
#include "lib/base/slurp.h"
#include "lib/base/status.h"

static const char begin_mark[] = "/*DATA*/", end_mark[] = "/*END*/";

/* A string of JSON that may stand within a script. */
static void
string(FILE *f, const char *s)
{
	putc('"', f);
	for (; *s != '\0'; s++)
		if ((unsigned char)*s < ' ' || strchr("\"\\<>&", *s) != NULL)
			fprintf(f, "\\u%04x", (unsigned char)*s);
		else
			putc(*s, f);
	putc('"', f);
}

static void
list(FILE *f, const char *name, const struct list *l)
{
	fprintf(f, ",\n\"%s\":[", name);
	for (int i = 0; i < l->n; i++)
		fprintf(f, "%s%.9g", i > 0 ? "," : "", l->at[i]);
	putc(']', f);
}

static void
phase(FILE *f, enum phase p, struct run *const s[], int n)
{
	fputs("{\"name\":", f);
	string(f, phase_words[p]);
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

static void
run(FILE *f, const struct run *s)
{
	const struct sim *sim = &s->sim.sim;
	char *bubble = draw_bubble(s), *step = page_number(sim->step_time), *summary;
	bool over = false;

	summary = xasprintf(
	    "step time %s ms · %s · %d stages, %d micro-batches, schedule %s · critical path: %s",
	    step, bubble, s->stages, s->micros, schedule_names[sim->schedule], sim->critical.why);
	fputs("{\"name\":", f);
	string(f, s->name);
	fputs(",\"summary\":", f);
	string(f, summary);
	for (int stage = 0; stage < s->stages; stage++)
		over |= run_limit(s, stage) > 0 && sim->peak_memory.at[stage] > run_limit(s, stage);
	fprintf(f, ",\"step\":%.9g,\"bubble\":%.9g,\"stages\":%d,\"chunks\":%d,\"over\":%s,\"phases\":[",
	    sim->step_time, sim->bubble.real, s->stages, s->chunks, over ? "true" : "false");
	for (int p = 0, comma = 0; p < PHASES; p++)
		if (s->phase[p])
			fprintf(f, "%s%d", comma++ > 0 ? "," : "", p);
	putc(']', f);
	list(f, "peak", &sim->peak_memory);
	list(f, "limit", &sim->memory_limit);
	fputs(",\n\"fixed\":[", f);
	for (int stage = 0; stage < s->stages; stage++)
		fprintf(f, "%s%.9g", stage > 0 ? "," : "", run_static_memory(s, stage));
	fputs("],\"colours\":[", f);
	for (int stage = 0; stage < s->stages; stage++)
		fprintf(f, "%s\"#%06x\"", stage > 0 ? "," : "", colour_stage(stage, s->stages));
	fputs("],\n\"bars\":[", f);
	for (size_t i = 0; i < s->n; i++) {
		const struct bar *b = &s->bar[i];

		fprintf(f, "%s%d,%d,%d,%d,%.9g,%.9g,%.9g,%.9g", i > 0 ? ",\n" : "", b->stage, b->chunk, b->micro,
		    b->phase, b->start, b->end, b->memory, b->peak);
	}
	fputs("]}", f);
	free(bubble);
	free(step);
	free(summary);
}

void
draw_html(const struct drawing *d, struct run *const s[], int n)
{
	char *path = share_path("timeline.html"), *begin, *end, *text;
	size_t length;
	double longest = 0;
	struct output out;
	FILE *f;

	text = slurp(path, 1 << 20, &length);
	begin = strstr(text, begin_mark);
	end = begin == NULL ? NULL : strstr(begin, end_mark);
	if (end == NULL)
		errx(STATUS_ERROR, "%s: no place for the data, %s ... %s", path, begin_mark, end_mark);
	output_open(&out, d->path);
	f = out.file;
	fwrite(text, 1, (size_t)(begin - text), f);
	fputs("{\"title\":", f);
	string(f, d->title != NULL ? d->title : n == 1 ? s[0]->name : "Comparison");
	for (int i = 0; i < n; i++) {
		longest = fmax(longest, s[i]->sim.sim.step_time);
		for (size_t b = 0; b < s[i]->n; b++)
			longest = fmax(longest, s[i]->bar[b].end);
	}
	fprintf(f, ",\"length\":%.9g,\"idle\":\"#%06x\",\n\"phases\":[", longest > 0 ? longest : 1,
	    COLOUR_IDLE);
	for (int p = 0; p < PHASES; p++) {
		fputs(p > 0 ? ",\n" : "", f);
		phase(f, (enum phase)p, s, n);
	}
	fputs("],\n\"runs\":[", f);
	for (int i = 0; i < n; i++) {
		fputs(i > 0 ? ",\n" : "", f);
		run(f, s[i]);
	}
	fputs("]}", f);
	end += strlen(end_mark);
	fwrite(end, 1, length - (size_t)(end - text), f);
	output_commit(&out);
	free(text);
	free(path);
}
