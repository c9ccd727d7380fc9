/* What a training YAML says now as a plan. */
#include "current.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "lib/base/alloc.h"
#include "lib/model/network.h"
#include "lib/schedule/schedule.h"
#include "lib/model/strategy.h"
#include "training.h"

static char body_name[] = "BODY";	/* where no layer record gives a name */

static int
schedule(const struct training *t)
{
	if (t->interleave > 1)
		return SCHEDULE_VPP;
	return t->scheduler != NULL && strcmp(t->scheduler, "gpipe") == 0 ? SCHEDULE_GPIPE : SCHEDULE_1F1B;
}

/* Layers by the stream, by the file, or by -layers; whoever says so must agree. */
static int
layers_of(const struct training *t, const struct network *net, int asked)
{
	int layers = asked != 0 ? asked : net != NULL ? net->layers : t->layers + t->extra_layers;

	if (t->layers == 0 && layers == 0)
		place_die(t->place, "no num_layers; say how many with -layers, or give layer records");
	if (net != NULL && layers != net->layers)
		place_die(net->place, "the model has %d layers, -layers says '%d'", net->layers, layers);
	if (t->layers != 0 && layers != t->layers && layers != t->layers + t->extra_layers)
		place_die(t->place, "num_layers is %d, but %s '%d'", t->layers,
		    net != NULL ? "the layer records have" : "-layers says", layers);
	return layers;
}

/* Extra layers that predict further tokens may be counted by the offsets, or not. */
static int
layers_by_offset(const struct training *t, const struct network *net, int asked)
{
	const struct yaml *offset = training_value(t, TRAINING_OFFSET);
	int pieces = t->stages * t->interleave, layers = layers_of(t, net, asked);
	struct grid g;
	int sum;

	if (asked != 0 || net != NULL || t->extra_layers == 0 || offset == NULL || offset->type != YAML_LIST)
		return layers;
	g = settings_list(offset, "offset", t->interleave, t->stages, NULL);
	sum = grid_sum(g);
	free(g.at);
	return sum == t->layers - t->layers / pieces * pieces ? t->layers : layers;
}

void
current_write(const char *path, const char *name, int layers, char *const operands[])
{
	struct body body = { .name = body_name };
	struct network alone = { .nbodies = 1, .body = &body }, given, *net = NULL;
	struct records all = { 0 };
	struct pipeline q = { .seq_split = 1 };
	bool asked = false, has_layers = false;
	struct training t;
	struct settings s;
	struct plan p;

	training_read(&t, path);
	if (operands[0] != NULL || !isatty(STDIN_FILENO))
		records_read(&all, operands,
		    RECORDS(RECORD_MODEL) | RECORDS(RECORD_LAYER) | RECORDS(RECORD_PIPELINE));
	for (size_t i = 0; i < all.n; i++) {
		has_layers |= all.at[i].kind == RECORD_LAYER;
		if (all.at[i].kind != RECORD_PIPELINE)
			continue;
		asked = true;
		q = all.at[i].pipeline;
		if (all.at[i].pipeline.stages != t.stages)
			place_die(t.place,
			    "pipeline_stage is %d, but the pipeline record (%s:%ld) has %d stages", t.stages,
			    all.at[i].place.source, all.at[i].place.line, all.at[i].pipeline.stages);
	}
	if (has_layers) {
		given = network_from_records(&all, NULL);
		net = &given;
	}
	alone.layers = body.layers = layers_by_offset(&t, net, layers);
	s = training_settings(&t, alone.layers);
	if (!asked)
		q = (struct pipeline){ .stages = t.stages, .interleave = t.interleave,
		    .schedule = schedule(&t),
			.micro_batches = t.micro_batches, .memory_limit = { 1, &t.device_memory } };
	if (!asked && t.seq_split > 1)
		GIVE(pipeline, &q, seq_split, t.seq_split);
	p = strategy_from_settings(name, PLAN_MANUAL, &s, net != NULL ? net : &alone, &q, t.place);
	if (t.micro_batches > 0)
		GIVE(plan, &p, micro_batches, t.micro_batches);

	for (size_t i = 0; i < all.n; i++)
		record_write(stdout, &all.at[i]);
	if (!asked && t.device_memory > 0 && t.micro_batches > 0)
		record_put(stdout, RECORD_PIPELINE, &q);
	record_put(stdout, RECORD_PLAN, &p);
	fields_free(&plan_fields, &p);
	settings_free(&s);
	if (net != NULL)
		network_free(net);
	records_free(&all);
	training_free(&t);
}
