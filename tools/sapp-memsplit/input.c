/* The peaks that were measured, and what is known of the layers besides. */
#include "input.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "lib/alloc.h"

/* Records stay in the order in which they came; log lines become entries of the logs. */
static void
read_stream(struct input *in)
{
	static char *const standard_input[] = { NULL };
	struct reader reader;
	struct record rec;
	size_t room = 0;

	reader_open(&reader, standard_input,
	    RECORDS(RECORD_TIMING) | RECORDS(RECORD_PEAK) | RECORDS(RECORD_MODEL) | RECORDS(RECORD_LAYER) |
		RECORDS(RECORD_FIT));
	reader.foreign_lines = true;
	while (reader_next(&reader, &rec)) {
		if (rec.kind == RECORD_FOREIGN) {
			peaklog_line(&in->logs, rec.text, strlen(rec.text), NULL, rec.place);
			record_free(&rec);
			continue;
		}
		if (rec.kind == RECORD_PEAK)
			peaklog_add(&in->logs, &rec.peak, rec.place);
		if (in->stream.n == room) {
			room = room ? 2 * room : 16;
			in->stream.at = xreallocarray(in->stream.at, room, sizeof *in->stream.at);
		}
		in->stream.at[in->stream.n++] = rec;
	}
	reader_close(&reader);
}

void
input_read(struct input *in, const char *init, char *const logs[], const struct input_options *opt)
{
	*in = (struct input){ 0 };
	initfile_read(&in->init, init);
	if (in->init.stages == 0)
		place_die(in->init.place, "missing key 'pipeline_config'");
	if (opt->ranks % in->init.stages != 0)
		place_die(in->init.place, "%d ranks cannot be divided by pipeline_num %d", opt->ranks,
		    in->init.stages);
	for (int i = 0; logs[i] != NULL; i++)
		peaklog_read(&in->logs, logs[i]);
	if (strcmp(init, "-") != 0 && !isatty(STDIN_FILENO))
		read_stream(in);
	in->npeaks =
	    peaklog_peaks(&in->logs, in->init.stages, in->init.rounds, opt->ranks, opt->which, &in->peaks);
	if (in->npeaks == 0 && in->logs.n > 0)
		place_die(in->logs.at[0].place, "no %s peak in any log",
		    opt->which == PEAK_USED ? "used" : "actual");
}

static int
measured_compare(const void *a, const void *b)
{
	const struct measured *x = a, *y = b;

	return x->round != y->round ? x->round - y->round : x->stage - y->stage;
}

int
input_measured(const struct input *in, struct measured **all)
{
	int n = 0;
	struct measured *at = xcalloc((size_t)(in->npeaks + in->init.memories), sizeof *at);

	for (int i = 0; i < in->npeaks; i++)
		at[n++] = (struct measured){ { in->peaks[i].source, 0 }, in->peaks[i].round,
			in->peaks[i].stage, in->peaks[i].memory };
	for (int i = 0; i < in->init.memories; i++) {
		const struct init_memory *m = &in->init.memory[i];
		int k = 0;

		while (k < in->npeaks && (in->peaks[k].round != m->round || in->peaks[k].stage != m->stage))
			k++;
		if (k == in->npeaks)
			at[n++] = (struct measured){ m->place, m->round, m->stage, m->memory };
	}
	if (n == 0)
		place_die((struct place){ in->init.place.source, 0 },
		    "no measured memory: no memory_usage in it, "
		    "and no log or peak was given");
	qsort(at, (size_t)n, sizeof *at, measured_compare);
	*all = at;
	return n;
}

void
input_free(struct input *in)
{
	for (int i = 0; i < in->npeaks; i++)
		free(in->peaks[i].source);
	free(in->peaks);
	peaklog_free(&in->logs);
	records_free(&in->stream);
	initfile_free(&in->init);
}
