#include "input.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "lib/base/alloc.h"
#include "lib/base/plain.h"
#include "lib/base/sorted.h"

/* Read the stream. The order of records is kept, and lines of logs become entries of the logs. */
static void
read_stream(struct input *in)
{
	static char *const standard_input[] = { NULL };
	struct reader reader;
	struct record rec;

	reader_open(&reader, standard_input,
	    RECORDS(RECORD_TIMING) | RECORDS(RECORD_STEP) | RECORDS(RECORD_JOB) | RECORDS(RECORD_PEAK) |
	    RECORDS(RECORD_MODEL) | RECORDS(RECORD_LAYER) |
	    RECORDS(RECORD_NETWORK) | RECORDS(RECORD_CANDIDATE) | RECORDS(RECORD_FIT));
	reader.foreign_lines = true;
	while (reader_next(&reader, &rec)) {
		if (rec.kind == RECORD_FOREIGN) {
			peaklog_line(&in->logs, rec.text, plain_text(rec.text, strlen(rec.text)), NULL, rec.place);
			record_free(&rec);
			continue;
		}
		if (rec.kind == RECORD_PEAK) {
			peaklog_add(&in->logs, &rec.peak, rec.place);
			in->peaks_given = true;
			/* The numbers of the record are in the logs now. The record itself passes through unchanged. */
			fields_free(&peak_fields, &rec.peak);
			rec.kind = RECORD_OTHER;
		}
		records_add(&in->stream, &rec);
	}
	reader_close(&reader);
	peaklog_astray(&in->logs);
}

void
input_read(struct input *in, const char *init, char *const logs[], const struct input_options *opt)
{
	int ranks = 0;

	*in = (struct input){ 0 };
	origin_read(&in->init, &in->job, init, opt->layers, &ranks);
	if (in->init.stages == 0)
		place_die(in->init.place, "missing key 'pipeline_config'");
	for (int i = 0; logs[i] != NULL; i++)
		peaklog_read(&in->logs, logs[i]);
	if (strcmp(init, "-") != 0 && !isatty(STDIN_FILENO))
		read_stream(in);
	if (strcmp(init, "-") != 0)
		shapes_of_settings(&in->shapes, init, opt->vocabulary > 0 ? opt->vocabulary : in->logs.vocabulary);
	shapes_of_stream(&in->shapes, &in->stream);
	ranks = opt->ranks > 0 ? opt->ranks : peaklog_ranks(&in->logs, in->init.stages, ranks);
	if (ranks % in->init.stages != 0)
		place_die(in->init.place, "%d ranks cannot be divided by pipeline_num %d", ranks,
		    in->init.stages);
	in->npeaks =
	    peaklog_peaks(&in->logs, in->init.stages, in->init.rounds, ranks, opt->which, &in->peaks);
	if (in->npeaks == 0 && in->logs.n > 0)
		place_die(in->logs.at[0].place, "no %s peak in any log",
		    opt->which == PEAK_USED ? "used" : "actual");
}

ORDER_BY(measured_compare, struct fitted_peak, it->round, it->stage)

int
input_measured(const struct input *in, struct fitted_peak **all)
{
	int n = 0;
	struct fitted_peak *at = xcalloc((size_t)(in->npeaks + in->init.memories), sizeof *at);

	for (int i = 0; i < in->npeaks; i++)
		at[n++] = (struct fitted_peak){ { in->peaks[i].source, 0 }, in->peaks[i].round,
			in->peaks[i].stage, in->peaks[i].memory, in->peaks[i].state, false, 0 };
	for (int i = 0; i < in->init.memories; i++) {
		const struct init_memory *m = &in->init.memory[i];
		int k = 0;

		while (k < in->npeaks && (in->peaks[k].round != m->round || in->peaks[k].stage != m->stage))
			k++;
		if (k == in->npeaks)
			at[n++] = (struct fitted_peak){ m->place, m->round, m->stage, m->memory, 0, false, 0 };
	}
	if (n == 0)
		place_die((struct place){ in->init.place.source, 0 },
		    "no measured memory: it has no memory_usage, and no log or peak was given");
	SORT(at, n, measured_compare);
	*all = at;
	return n;
}

/* Take the names of BODY layers from the layer records of the stream, or from profiling_config. */
static void
body_names(const struct input *in, struct bodies *b, int stated[BODIES_MAX])
{
	for (size_t i = 0; i < in->stream.n; i++) {
		const struct record *r = &in->stream.at[i];

		if (r->kind == RECORD_LAYER && r->layer.type == LAYER_HEAD)
			b->head_transient = fmax(b->head_transient, r->layer.memory_transient);
		if (r->kind == RECORD_LAYER && r->layer.type == LAYER_TAIL)
			b->tail_transient = fmax(b->tail_transient, r->layer.memory_transient);
		if (r->kind != RECORD_LAYER || r->layer.type != LAYER_BODY)
			continue;
		if (b->n == BODIES_MAX)
			place_die(r->place, "layer: '%s': more than %d kinds of body layers", r->layer.name,
			    BODIES_MAX);
		stated[b->n] = r->layer.nb_layer;
		b->transient[b->n] = r->layer.memory_transient;
		b->name[b->n++] = r->layer.name;
	}
	if (b->n > 0)
		return;
	if (in->init.names[LAYER_BODY].n > BODIES_MAX)
		place_die(in->init.place, "body_layers: more than %d kinds of body layers", BODIES_MAX);
	for (; b->n < in->init.names[LAYER_BODY].n; b->n++)
		b->name[b->n] = in->init.names[LAYER_BODY].at[b->n];
}

/* Check the number of layers. A profile may have fewer layers than the network. */
static void
check_layers(const struct input *in, int measured)
{
	if (measured > in->init.layers)
		place_warn(in->init.place, "num_layer is %d, but %d layers were measured: check that the profile is of "
		    "this model and of one rank per stage", in->init.layers, measured);
	for (size_t i = 0; i < in->stream.n; i++) {
		const struct record *r = &in->stream.at[i];

		if (r->kind == RECORD_NETWORK && r->network.layers != in->init.layers &&
		    r->network.layers + r->network.mtp_layers != in->init.layers)
			place_die(r->place, "network: it has %d layers, but num_layer of %s is %d", r->network.layers,
			    in->init.place.source, in->init.layers);
	}
}

struct bodies
input_bodies(const struct input *in)
{
	static const char *const nameless[BODIES_MAX] = { "BODY", "BODY2", "BODY3", "BODY4", "BODY5", "BODY6",
		"BODY7", "BODY8" };
	struct bodies b = { 0 };
	int stated[BODIES_MAX] = { 0 }, sum = 0;

	body_names(in, &b, stated);
	for (; b.n == 0 || (b.n < in->init.bodies && b.name[0] == nameless[0]); b.n++)
		b.name[b.n] = nameless[b.n];
	for (int i = 0; i < b.n; i++)
		sum += stated[i];
	if (b.n == in->init.bodies)
		memcpy(b.layers, in->init.body_layers, (size_t)b.n * sizeof *b.layers);
	else if (in->init.bodies == 1 && sum == in->init.layers)
		memcpy(b.layers, stated, sizeof stated);
	else if (in->init.bodies == 1)
		place_die(in->init.place, "%d kinds of body layers, '%s' and '%s'%s, but num_layer is '%d': write a "
		    "number for each kind, such as [3, 59]", b.n, b.name[0], b.name[1],
		    b.n > 2 ? " ..." : "", in->init.layers);
	else
		place_die(in->init.place, "num_layer: numbers for %d kinds of body layers, but the profile has %d: "
		    "'%s'%s", in->init.bodies, b.n, b.name[0], b.n > 1 ? " ..." : "");
	check_layers(in, sum);
	return b;
}

void
input_free(struct input *in)
{
	for (int i = 0; i < in->npeaks; i++)
		free(in->peaks[i].source);
	free(in->peaks);
	peaklog_free(&in->logs);
	records_free(&in->stream);
	fields_free(&measured_job_fields, &in->job);
	initfile_free(&in->init);
}
