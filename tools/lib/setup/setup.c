#include "setup.h"

#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/alloc.h"
#include "lib/base/option.h"
#include "lib/base/slurp.h"
#include "lib/script/meaning.h"
#include "lib/script/started.h"
#include "followed.h"
#include "foreign.h"
#include "hyperparallel.h"
#include "launch_yaml.h"
#include "launched.h"
#include "patterns.h"
#include "scheduler.h"
#include "swap.h"
#include "training.h"

enum { LAYERS_MAX = 100000, LOG_MAX = 256 << 20, BATCH_MAX = 100000000, DEVICES_MAX = 10000 };

int
setup_layers(const char *text)
{
	static const char *const names[] = { "num_hidden_layers", "num_layers", "n_layer", NULL };
	struct place at = { text, 0 };
	json_error_t error;
	json_t *config, *n = NULL;
	int layers;

	if (text[strspn(text, "0123456789")] == '\0')
		return option_int("-layers", text, 1, LAYERS_MAX);
	config = json_load_file(text, 0, &error);
	if (config == NULL)
		place_die((struct place){ text, error.line > 0 ? error.line : 0 },
		    "-layers: neither a number nor a model's config.json: %s", error.text);
	for (int i = 0; names[i] != NULL && n == NULL; i++)
		n = json_object_get(config, names[i]);
	if (!json_is_integer(n) || json_integer_value(n) < 1 || json_integer_value(n) > LAYERS_MAX)
		place_die(at, "-layers: no num_hidden_layers between 1 and %d", LAYERS_MAX);
	layers = (int)json_integer_value(n);
	json_decref(config);
	return layers;
}

static void
check_layers(const struct setup *s, const struct network *net, int said, int extra, bool asked)
{
	if (net != NULL && network_body_layers(net) != said && network_body_layers(net) != said + extra)
		place_die(s->place, "num_layers is %d, but %s '%d'", said,
		    asked ? "-layers is" : "the layer records have", network_body_layers(net));
}

/* Return whether the file has operator lists whose patterns have different numbers. */
static bool
differ(const struct setup *s, const struct training *t)
{
	struct grid layers = settings_layers(&s->settings, s->layers, t->place);
	struct operator_lists lists = training_operators(t, layers);
	bool any = lists.n > 0;

	operator_lists_free(&lists);
	free(layers.at);
	return any;
}

/*
 * Determine the number of layers, and whether offsets count the multi-token prediction layers. If they do not, these
 * layers are the last ones of the last piece.
 */
static void
settle_layers(struct setup *s, const struct training *t, int asked, const struct network *net,
    const struct pattern_sets *sets)
{
	int pieces = t->stages * t->interleave, said = t->layers != 0 ? t->layers : asked != 0 ? asked :
	    net != NULL ? network_body_layers(net) : 0;
	struct grid said_offsets = training_offsets(t);
	int sum = grid_sum(said_offsets), want = net != NULL ? network_body_layers(net) : asked;
	struct grid *offset = &s->settings.offset;

	free(said_offsets.at);
	if (said == 0)
		place_die(t->place, "no num_layers; give the number with -layers, or give layer records");
	if (t->layers != 0 && asked != 0 && asked != t->layers && asked != t->layers + t->extra_layers)
		place_die(t->place, "num_layers is %d, but -layers is '%d'", t->layers, asked);
	if (net != NULL && asked != 0 && network_body_layers(net) != asked &&
	    network_body_layers(net) != asked + t->extra_layers)
		place_die(net->place, "the model has %d layers, but -layers is '%d'", network_body_layers(net), asked);
	check_layers(s, net, said, t->extra_layers, false);
	s->layers = said;
	if (sum != said % pieces && sum == (said + t->extra_layers) % pieces)
		s->layers = said + t->extra_layers;
	s->extra = t->extra_layers;
	s->extra_counted = s->layers > said;
	s->settings = training_settings_whole(t, s->layers);
	if (!t->swap && (sets == NULL || sets->n == 0) && !differ(s, t)) {
		settings_free(&s->settings);
		s->settings = training_settings(t, s->layers);
	}
	/* The model counts multi-token prediction layers, and the file does not. */
	if (want == s->layers + t->extra_layers && want > s->layers) {
		int even = s->layers / pieces, now = want / pieces;

		for (int i = 0; i < pieces; i++)
			offset->at[i] += even - now;
		offset->at[s->pipeline.schedule == SCHEDULE_ZERO_BUBBLE_V ? t->stages : pieces - 1] += t->extra_layers;
		s->layers = want;
		s->extra_counted = true;
	}
}

/* Without kind records, make kinds of recomputation from lists whose patterns have different numbers. */
static void
make_kinds(struct setup *s, const struct training *t)
{
	struct grid layers = settings_layers(&s->settings, s->layers, t->place);
	struct settings said;

	s->operators = training_operators(t, layers);
	if (s->operators.n > 0) {
		operator_lists_kinds(&s->operators, &s->named, s->settings.recompute, layers, s->kind);
		said = settings_from_counts(s->kind, s->layers);
		settings_free(&s->settings);
		s->settings = said;
	}
	free(layers.at);
}

/* Read lists that have a number for each pattern. */
static void
read_kinds(struct setup *s, const struct training *t, const struct pattern_sets *sets)
{
	struct grid layers = settings_layers(&s->settings, s->layers, t->place);
	struct pattern_lists lists = pattern_lists_read(sets, t, layers);
	struct settings said;

	pattern_lists_kinds(&lists, s->settings.recompute, layers, s->kind, t->place);
	said = settings_from_counts(s->kind, s->layers);
	settings_free(&s->settings);
	s->settings = said;
	pattern_lists_free(&lists);
	free(layers.at);
}

static void
from_training(struct setup *s, const char *path, char *text, size_t length, int asked, const struct network *net,
    const struct pattern_sets *sets)
{
	const char *set = getenv(SCHEDULER_LESS);
	bool less = set != NULL && strcmp(set, "1") == 0;
	struct training t;
	struct shape q = { 0 };

	training_parse(&t, path, text, length, true);
	training_check(&t);
	q.stages = t.stages;
	q.micro = t.micro_batches;
	s->place = t.place;
	s->target = TARGET_MINDFORMERS;
	s->seq_length = t.seq_length;
	s->batch_size = t.batch_size;
	s->sharing = t.sharing;
	s->hidden_size = t.hidden_size;
	s->num_heads = t.num_heads;
	s->vocab_size = t.vocab_size;
	s->intermediate_size = t.intermediate_size;
	if (t.swap && sets == NULL)
		place_die(t.place, "swap_config: swap: activations are offloaded, which is not supported in "
		    "measurements: measure with swap: False");
	if (less && t.interleave > 1 && t.whole_graph != NULL)
		place_warn(t.whole_graph->place, "jit_level: 'O2' ignores %s", SCHEDULER_LESS);
	scheduler_read(&q, t.scheduler, t.interleave, t.seq_split, less && t.whole_graph == NULL, t.place);
	s->pipeline = (struct pipeline){ .stages = t.stages, .micro_batches = t.micro_batches,
	    .interleave = t.interleave, .schedule = (int)q.kind };
	if (q.splits > 1)
		GIVE(pipeline, &s->pipeline, seq_split, q.splits);
	if (q.group > 0)
		GIVE(pipeline, &s->pipeline, group, q.group);
	if (t.device_memory > 0) {
		s->pipeline.memory_limit = list_new(1);
		s->pipeline.memory_limit.at[0] = t.device_memory;
	}
	if (t.interleave < t.interleave_num && !t.interleave_said)
		place_warn(t.place, "pp_interleave_num %d is ignored, as pipeline_interleave is not true: one chunk "
		    "per stage", t.interleave_num);
	settle_layers(s, &t, asked, net, sets);
	if (t.swap)
		s->layer = swap_read(sets, &t, s->layers);
	else if (sets != NULL && sets->n > 0)
		read_kinds(s, &t, sets);
	else
		make_kinds(s, &t);
	training_free(&t);
}

static int
or_one(int n)
{
	return n > 0 ? n : 1;
}

/* Fill in the setup from the pipeline that arguments describe. */
static void
from_launched(struct setup *s, struct launched *x, struct place at, int asked, const struct network *net)
{
	int body = net != NULL ? network_body_layers(net) : asked;
	bool counted = body == 0 || body != x->layers - x->extra || !launched_with_tail(x);

	if (asked != 0 && asked != x->layers)
		place_die(at, "%d layers, but -layers is '%d'", x->layers, asked);
	if (net != NULL && network_body_layers(net) != x->layers)
		place_die(at, "%d layers, but the layer records have '%d'", x->layers, network_body_layers(net));
	s->pipeline = (struct pipeline){ .stages = x->shape.stages, .micro_batches = x->shape.micro,
	    .interleave = x->shape.chunks, .schedule = (int)x->shape.kind };
	if (x->shape.group > 0)
		GIVE(pipeline, &s->pipeline, group, x->shape.group);
	if (x->shape.fixed)
		GIVE(pipeline, &s->pipeline, fixed_order, true);
	s->layers = x->layers;
	s->extra = x->extra;
	s->extra_counted = x->extra > 0 && counted;
	s->settings = settings_from_counts(x->kind, x->layers);
	s->layer = x->layer;
	x->layer = NULL;
	s->named = x->made;
	x->made = (struct operator_kinds){ 0 };
	for (int k = 0; k < RECOMPUTE_KINDS && s->layer == NULL; k++) {
		s->kind[k] = x->kind[k];
		x->kind[k] = (struct grid){ 0 };
	}
	launched_free(x);
}

/* Fill in the setup from a command. Frees STARTED. */
static void
from_started(struct setup *s, struct started *started, int asked, const struct network *net,
    const struct modules *modules)
{
	struct launch l;
	struct launched x;

	meaning_check(started);
	launch_of_started(&l, started);
	if (l.value[LAUNCH_LAYERS] == NULL && (asked > 0 || net != NULL))
		launch_set(&l, LAUNCH_LAYERS, xasprintf("%d", asked > 0 ? asked : network_body_layers(net)));
	launched_read(&x, &l, modules);
	s->seq_length = launch_int(&l, LAUNCH_SEQ_LENGTH, 1, BATCH_MAX);
	s->batch_size = launch_int(&l, LAUNCH_MICRO_BATCH, 1, BATCH_MAX);
	s->ranks = (int)launched_devices(&l);
	s->sharing = or_one(launch_int(&l, LAUNCH_TENSOR, 1, DEVICES_MAX)) *
	    or_one(launch_int(&l, LAUNCH_CONTEXT, 1, DEVICES_MAX));
	from_launched(s, &x, l.place[LAUNCH_LAYERS], asked, net);
	launch_free(&l);
	started_free(started);
}

/* Read a YAML of a framework that has arguments as keys, or of HyperParallel. Return false if it is another YAML. */
static bool
from_settings(struct setup *s, const char *path, const char *text, size_t length, int asked, const struct network *net,
    const struct modules *modules)
{
	struct yaml *root = yaml_parse_loaded(text, length, path, false);
	int layers = asked > 0 ? asked : net != NULL ? network_body_layers(net) : 0;
	struct launched x;
	struct started started;
	bool arguments = yaml_started(&started, root, path), there = arguments || hyperparallel_read(&x, root, layers);

	if (arguments || there)
		s->target = launch_yaml_target(root);
	if (arguments)
		from_started(s, &started, asked, net, modules);
	else if (there)
		from_launched(s, &x, s->place, asked, net);
	yaml_release(root);
	return there;
}

/* Return whether TEXT has lines that occur only in logs of training or of memory. */
static bool
is_log(const char *text)
{
	static const char *const words[] = { "elapsed time per iteration", "max allocated:", "per_step_time:",
		"train_step_timing" };

	for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
		if (strstr(text, words[i]) != NULL)
			return true;
	return false;
}

void
setup_read(struct setup *s, const char *path, int asked, const struct network *net,
    const struct pattern_sets *sets, const struct modules *modules)
{
	size_t length;
	char *text = slurp(path, LOG_MAX, &length);
	struct started started;

	*s = (struct setup){ .place = { slurp_name(path), 0 }, .target = TARGET_MEGATRON };
	if (started_read(&started, path, text, length, s->place.source)) {
		started_follow(&started, &s->target);
		from_started(s, &started, asked, net, modules);
		free(text);
		return;
	}
	if (is_log(text))
		place_die(s->place, "a log without the list of its arguments, which Megatron-LM prints at the start of "
		    "a run: give the whole log, the script or the training YAML");
	foreign_refuse(s->place, path, text);
	free(text);
	text = yaml_slurp(path, &length);
	if (from_settings(s, path, text, length, asked, net, modules)) {
		free(text);
	} else {
		from_training(s, path, text, length, asked, net, sets);
	}
}

void
setup_free(struct setup *s)
{
	fields_free(&pipeline_fields, &s->pipeline);
	settings_free(&s->settings);
	for (int k = 0; k < RECOMPUTE_KINDS; k++)
		free(s->kind[k].at);
	free(s->layer);
	operator_lists_free(&s->operators);
	operator_kinds_free(&s->named);
	*s = (struct setup){ 0 };
}
