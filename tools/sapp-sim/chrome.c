/* The format is described in the document "Trace Event Format" of the Chromium project. */
#include "chrome.h"

#include <stdarg.h>
#include <stdio.h>

#include "lib/base/output.h"

#include "block.h"

struct trace {
	FILE *out;
	int process;
	int chunks;
	bool any;		/* whether an event was written, so that a comma must precede the next */
	unsigned long arrows;
};

static void
event(struct trace *t, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

static void
event(struct trace *t, const char *fmt, ...)
{
	va_list ap;

	fputs(t->any ? ",\n" : "\n", t->out);
	t->any = true;
	va_start(ap, fmt);
	vfprintf(t->out, fmt, ap);
	va_end(ap);
}

static void
put_string(FILE *out, const char *s)
{
	putc('"', out);
	for (; *s != '\0'; s++)
		if (*s == '"' || *s == '\\')
			fprintf(out, "\\%c", *s);
		else if ((unsigned char)*s < ' ')
			fprintf(out, "\\u%04x", *s);
		else
			putc(*s, out);
	putc('"', out);
}

/* Return a colour name of chrome://tracing. Perfetto derives colours from the names of slices. */
static const char *
colour(int phase, int chunk)
{
	static const char *const names[PHASES][3] = {
		[PHASE_F] = { "thread_state_running", "rail_animation", "good" },
		[PHASE_B] = { "thread_state_iowait", "rail_response", "bad" },
		[PHASE_W] = { "thread_state_runnable", "rail_idle", "generic_work" },
		[PHASE_I] = { "thread_state_iowait", "rail_response", "bad" },
	};

	return names[phase][chunk % 3];
}

static void
counter(struct trace *t, int stage, double time, double memory)
{
	event(t, "{\"ph\":\"C\",\"pid\":%d,\"ts\":%.15g,\"name\":\"memory of stage %d\","
	    "\"args\":{\"MB\":%.15g}}", t->process,
	    1000 * time, stage, memory);
}

static void
block(const struct block *b, void *with)
{
	struct trace *t = with;

	event(t, "{\"ph\":\"X\",\"pid\":%d,\"tid\":%d,\"ts\":%.15g,\"dur\":%.15g,\"name\":\"%s%d", t->process,
	    b->stage, 1000 * b->start, 1000 * (b->end - b->start), phase_names[b->phase], b->micro);
	/* The chunk is a letter, because viewers ignore digits in names when they choose colours. */
	if (t->chunks > 1)
		fprintf(t->out, " %c", 'a' + b->chunk % 26);
	fprintf(t->out, "\",\"cat\":\"%s\",\"cname\":\"%s\","
	    "\"args\":{\"chunk\":%d,\"micro\":%d,\"memory\":%.15g}}",
	    phase_words[b->phase], colour(b->phase, b->chunk), b->chunk, b->micro, b->memory);
	if (GIVEN(block, b, peak))
		counter(t, b->stage, b->start, b->peak);
	counter(t, b->stage, b->end, b->memory);
}

/* Draw an arrow to the I-th operation from its dependency on another stage. */
static void
arrow(struct trace *t, const struct simulation *sim, int stage, size_t i)
{
	const struct schedule *s = sim->schedule;
	struct need need = schedule_need(s, stage, s->op[i]);
	double from;

	if (need.stage < 0 || need.stage == stage)
		return;
	/* The arrow starts within the slice, because the very end would belong to the next slice. */
	from = sim->end[schedule_slot(s, need.stage, need.op)];
	from -= 0.01 * simulation_duration(sim->load, need.stage, need.op);
	t->arrows++;
	event(t, "{\"ph\":\"s\",\"pid\":%d,\"tid\":%d,\"ts\":%.15g,\"id\":%lu,"
	    "\"name\":\"data\",\"cat\":\"data\"}", t->process,
	    need.stage, 1000 * from, t->arrows);
	event(t, "{\"ph\":\"f\",\"bp\":\"e\",\"pid\":%d,\"tid\":%d,\"ts\":%.15g,\"id\":%lu,"
	    "\"name\":\"data\",\"cat\":\"data\"}",
	    t->process, stage, 1000 * simulation_start(sim, stage, i), t->arrows);
}

static void
arrows(struct trace *t, const struct sim_run *r)
{
	struct schedule s;
	struct simulation sim;

	if (run_open(r, &s, &sim))
		for (int stage = 0; stage < s.stages; stage++)
			for (size_t i = s.first[stage]; i < s.first[stage + 1]; i++)
				arrow(t, &sim, stage, i);
	simulation_free(&sim);
	schedule_free(&s);
}

static void
process(struct trace *t, const struct sim_run *r)
{
	event(t, "{\"ph\":\"M\",\"pid\":%d,\"name\":\"process_name\",\"args\":{\"name\":", t->process);
	put_string(t->out, r->name);
	fputs("}}", t->out);
	for (int stage = 0; stage < r->shape.stages; stage++) {
		event(t, "{\"ph\":\"M\",\"pid\":%d,\"tid\":%d,\"name\":\"thread_name\","
		    "\"args\":{\"name\":\"stage %d\"}}",
		    t->process, stage, stage);
		event(t, "{\"ph\":\"M\",\"pid\":%d,\"tid\":%d,\"name\":\"thread_sort_index\","
		    "\"args\":{\"sort_index\":%d}}",
		    t->process, stage, stage);
	}
	blocks_each(r, block, t);
	arrows(t, r);
}

void
chrome_write(const char *path, const struct sim_runs *runs)
{
	struct output out;
	struct trace t = { 0 };

	output_open(&out, path);
	t.out = out.file;
	fputs("{\"displayTimeUnit\":\"ms\",\"traceEvents\":[", out.file);
	for (int i = 0; i < runs->n; i++) {
		t.process = i + 1;
		t.chunks = runs->at[i].load.chunks;
		if (runs->result[i].name != NULL)
			process(&t, &runs->at[i]);
	}
	fputs("\n]}\n", out.file);
	output_commit(&out);
}
