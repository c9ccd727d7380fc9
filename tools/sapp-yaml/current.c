#include "current.h"

#include <stdlib.h>
#include <unistd.h>

#include "lib/base/alloc.h"
#include "lib/base/memstream.h"
#include "lib/base/slurp.h"
#include "lib/model/strategy.h"
#include "lib/script/started.h"
#include "lib/setup/followed.h"
#include "lib/setup/launch_yaml.h"
#include "lib/setup/setup.h"
#include "sapp-yaml/plan/degrees.h"

enum { FILE_MOST = 256 << 20 };

static char body_name[] = "BODY";	/* name of the layers without a layer record */

static void
differ(FILE *f, const char **divider, const char *name, int asked, int here)
{
	if (asked != here && here != 0) {
		fprintf(f, "%s%s %d, here %d", *divider, name, asked, here);
		*divider = ", ";
	}
}

/* Return a text that says how the schedules of two questions differ; "" if they do not. Caller frees. */
static char *
difference(const struct pipeline *asked, const struct pipeline *here)
{
	char *text = NULL;
	size_t size;
	FILE *f = memstream_open(&text, &size);
	const char *divider = "";

	differ(f, &divider, "stages", asked->stages, here->stages);
	differ(f, &divider, "micro-batches", asked->micro_batches, here->micro_batches);
	differ(f, &divider, "chunks per stage", asked->interleave, here->interleave);
	differ(f, &divider, "sequence splits", asked->seq_split > 1 ? asked->seq_split : 1,
	    here->seq_split > 1 ? here->seq_split : 1);
	if (here->interleave > 1 && asked->interleave > 1)
		differ(f, &divider, "micro-batches per group", asked->group > 0 ? asked->group : asked->stages,
		    here->group > 0 ? here->group : here->stages);
	if (asked->schedule != here->schedule)
		fprintf(f, "%sschedule %s, here %s", divider, schedule_names[asked->schedule],
		    schedule_names[here->schedule]);
	memstream_close(f);
	return text;
}

/*
 * Return the last question of the stream that matches HERE, or otherwise the last of all, and print the difference.
 * NULL: none exists.
 */
static const struct pipeline *
question_for(const struct records *all, const struct pipeline *here, struct place place)
{
	const struct record *last = NULL, *alike = NULL;
	const struct pipeline *asked;
	char *text = NULL, *differs;
	bool more;

	for (size_t i = all->n; i-- > 0 && alike == NULL;) {
		if (all->at[i].kind != RECORD_PIPELINE)
			continue;
		differs = difference(&all->at[i].pipeline, here);
		if (*differs == '\0')
			alike = &all->at[i];
		if (last == NULL) {
			last = &all->at[i];
			text = differs;
		} else {
			free(differs);
		}
	}
	if (last == NULL)
		return NULL;
	last = alike != NULL ? alike : last;
	asked = &last->pipeline;
	/* A plan that fits a limit also fits a higher limit. */
	more = here->memory_limit.n == 1 && (asked->memory_limit.n != 1 ||
	    asked->memory_limit.at[0] > here->memory_limit.at[0]);
	differs = more ? xasprintf("%slimit %.8g MB, here %.8g", alike != NULL ? "" : ", ", asked->memory_limit.at[0],
	    here->memory_limit.at[0]) : xstrdup("");
	if (alike == NULL || more)
		place_say(place, "differs from the question in the stream (%s:%ld): %s%s", last->place.source,
		    last->place.line, alike == NULL ? text : "", differs);
	free(text);
	free(differs);
	return asked;
}

/* Take the transfers of a question for the framework: those that the file's schedule has there. */
static void
take_transfers(struct pipeline *here, const struct pipeline *asked, enum target t)
{
	enum transfer_mode said = (enum transfer_mode)asked->transfers;

	if (asked->schedule != here->schedule && said == target_transfers(t, (enum schedule_kind)asked->schedule, said))
		said = target_transfers(t, (enum schedule_kind)here->schedule, said);
	if (said != TRANSFERS_HIDDEN)
		GIVE(pipeline, here, transfers, (int)said);
}

/* Set the unset members of the file's question from the question in the stream. */
static void
complete(struct pipeline *here, const struct pipeline *asked, enum target target)
{
	if (here->micro_batches == 0)
		here->micro_batches = asked->micro_batches;
	if (here->memory_limit.n == 0 && (asked->memory_limit.n == 1 || asked->stages == here->stages))
		here->memory_limit = list_copy(asked->memory_limit);
	if (GIVEN(pipeline, asked, comm_time) && (asked->comm_time.n == 1 || asked->stages == here->stages))
		GIVE(pipeline, here, comm_time, list_copy(asked->comm_time));
	if (GIVEN(pipeline, asked, speed) && (asked->speed.n == 1 || asked->stages == here->stages))
		GIVE(pipeline, here, speed, list_copy(asked->speed));
	if (GIVEN(pipeline, asked, offload))
		GIVE(pipeline, here, offload, asked->offload);
	if (GIVEN(pipeline, asked, overlap))
		GIVE(pipeline, here, overlap, asked->overlap);
	if (GIVEN(pipeline, asked, transfers))
		take_transfers(here, asked, target);
}

static struct plan
plan_of(const struct setup *s, const char *name, const struct network *net, const enum recompute first[RECOMPUTE_KINDS])
{
	if (s->layer != NULL)
		return strategy_from_layers(name, PLAN_MANUAL, &s->settings, s->layer, net, &s->pipeline, s->place);
	if (s->kind[0].at != NULL)
		return strategy_from_kinds(name, PLAN_MANUAL, &s->settings, s->kind, first, net, &s->pipeline);
	return strategy_from_settings(name, PLAN_MANUAL, &s->settings, net, &s->pipeline, s->place);
}

/*
 * Read the degrees of a file. DEVICES: default number, from a candidate in the stream; 0: none exists. Return false if
 * the file has no degrees.
 */
static bool
read_degrees(struct configuration *c, const char *path, int devices, struct place at)
{
	size_t length;
	char *text = slurp(path, FILE_MOST, &length);
	struct started started;
	struct yaml *root = NULL;
	const struct yaml *map;
	bool said, others = false;
	int i;

	if (!started_read(&started, path, text, length, slurp_name(path))) {
		free(text);
		text = yaml_slurp(path, &length);
		root = yaml_parse_loaded(text, length, path, false);
	}
	if (root == NULL)
		started_follow(&started, NULL);
	if (root == NULL || yaml_started(&started, root, path)) {
		bool experts = root != NULL && launch_yaml_find(root, LAUNCH_EXPERT, &map, &i);

		said = degrees_of_started(c, &started, 0, experts);
		others = !said && devices > 0;
		if (others) {
			free(c->stage_layers.at);
			said = degrees_of_started(c, &started, devices, experts);
		}
		started_free(&started);
	} else {
		said = degrees_of_yaml(c, root);
	}
	if (said && others)
		place_say(at, "it has no number of devices: %d is used, from the candidate in the stream",
		    devices);
	if (root != NULL)
		yaml_release(root);
	free(text);
	return said;
}

/* Write the degrees of the file, with those of the input. */
static void
write_degrees(const char *path, const char *name, int devices, const struct setup *s)
{
	struct configuration c;

	if (read_degrees(&c, path, devices, s->place) && s->pipeline.micro_batches > 0) {
		c.mbs = s->batch_size > 0 ? s->batch_size : c.mbs;
		c.micro_batches = s->pipeline.micro_batches;
		GIVE(configuration, &c, vp, s->pipeline.interleave);
		c.schedule = c.pp == 1 ? ORDER_NONE : c.vp == 1 ? ORDER_1F1B : ORDER_INTERLEAVED;
		degrees_write(&c, name, s->place);
	} else {
		place_warn(s->place, "no candidate is written: the file lacks some degrees");
	}
	free(c.stage_layers.at);
}

/* Append kind records for the kinds that the file's lists create. */
static void
add_kinds(struct records *all, const struct setup *s)
{
	for (int i = 0; i < s->named.n; i++) {
		struct record r = { .kind = RECORD_KIND, .place = s->place };

		fields_copy(&operators_fields, &r.operators, &s->named.at[i]);
		records_add(all, &r);
	}
}

void
current_write(const char *path, const char *name, int layers, char *const operands[])
{
	struct body body = { .name = body_name };
	struct network alone = { .nbodies = 1, .body = &body }, given, *net = NULL;
	struct records all = { 0 };
	const struct pipeline *asked;
	bool has_layers = false;
	int devices = 0;
	struct pattern_sets sets;
	struct modules modules;
	struct setup setup;
	enum recompute first[RECOMPUTE_KINDS];
	struct plan p;

	if (operands[0] != NULL || !isatty(STDIN_FILENO))
		records_read(&all, operands,
		    RECORDS(RECORD_KIND) | RECORDS(RECORD_MODEL) | RECORDS(RECORD_LAYER) | RECORDS(RECORD_PIPELINE) |
		    RECORDS(RECORD_CANDIDATE) | RECORDS(RECORD_ESTIMATE));
	for (size_t i = 0; i < all.n; i++) {
		has_layers |= all.at[i].kind == RECORD_LAYER;
		if (all.at[i].kind == RECORD_CANDIDATE || all.at[i].kind == RECORD_ESTIMATE)
			devices = configuration_devices(all.at[i].kind == RECORD_CANDIDATE ? &all.at[i].candidate :
			    &all.at[i].estimate.of);
	}
	if (has_layers) {
		given = network_from_records(&all, NULL);
		net = &given;
	}
	modules = modules_of(&all);
	modules.make = !has_layers;
	sets = pattern_sets_of(&all);
	setup_read(&setup, path, layers, net, &sets, &modules);
	add_kinds(&all, &setup);
	sets = pattern_sets_of(&all);
	if ((asked = question_for(&all, &setup.pipeline, setup.place)) != NULL)
		complete(&setup.pipeline, asked, setup.target);
	alone.layers = body.layers = setup.layers;
	pattern_order(&sets, first);
	p = plan_of(&setup, name, net != NULL ? net : &alone, first);
	if (setup.pipeline.micro_batches > 0)
		GIVE(plan, &p, micro_batches, setup.pipeline.micro_batches);

	for (size_t i = 0; i < all.n; i++)
		record_write(stdout, &all.at[i]);
	if (devices > 0)
		write_degrees(path, name, devices, &setup);
	if (setup.pipeline.memory_limit.n > 0 && setup.pipeline.micro_batches > 0)
		record_put(stdout, RECORD_PIPELINE, &setup.pipeline);
	record_put(stdout, RECORD_PLAN, &p);
	fields_free(&plan_fields, &p);
	setup_free(&setup);
	if (net != NULL)
		network_free(net);
	records_free(&all);
}
