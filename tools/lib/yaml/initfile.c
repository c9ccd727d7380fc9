#include "initfile.h"

#include <stdlib.h>

#include "lib/base/alloc.h"
#include "lib/base/sorted.h"

enum { MAX_STAGES = 10000, MAX_LAYERS = 100000, MAX_ROUNDS = 1000, MAX_BODIES = 8, MAX_MICRO = 1000000,
	MAX_SIZE = 100000000 };
static const double max_memory = 1e9, max_time = 1e12;	/* maximum memory, MB; maximum time, ms */

/* Return the number of rounds that a value is given for: the number of lists in a list of lists; 0 for other values. */
static int
rounds_said(const struct yaml *node)
{
	for (int i = 0; node != NULL && node->type == YAML_LIST && i < node->n; i++)
		if (node->item[i]->type == YAML_LIST)
			return node->n;
	return 0;
}

/* Return the part of a value that belongs to round R. */
static const struct yaml *
round_part(const struct initfile *f, const struct yaml *node, const char *key, int r)
{
	if (node == NULL || node->type != YAML_LIST || (f->rounds == 1 && rounds_said(node) == 0))
		return node;
	if (node->n != f->rounds)
		place_die(node->place, "%s: %d entries, but there are %d rounds", key, node->n, f->rounds);
	return node->item[r];
}

static void
count_rounds(struct initfile *f, const struct yaml *node, const char *key)
{
	int n = rounds_said(node);

	for (int i = 0; node != NULL && node->type == YAML_MAP && i < node->n; i++)
		count_rounds(f, node->item[i], key);
	if (n == 0)
		return;
	if (n > MAX_ROUNDS)
		place_die(node->place, "%s: more than %d rounds", key, MAX_ROUNDS);
	if (f->rounds != 0 && f->rounds != n)
		place_die(node->place, "%s: %d entries, but there are %d rounds", key, n, f->rounds);
	f->rounds = n;
}

/* Read the lists that give numbers per pattern. */
static void
read_operators(struct initfile *f, int r, const struct yaml *map, bool comm)
{
	const char *key = comm ? "select_comm_recompute" : "select_recompute";

	for (int i = 0; i < map->n; i++) {
		const struct yaml *part = round_part(f, map->item[i], key, r);

		operator_lists_add(&f->round[r].operators, map->key[i], comm,
		    settings_list(part, key, 1, f->stages, &f->round[r].layers), part->place);
	}
}

static void
read_round(struct initfile *f, int r, const struct yaml *pipeline, const struct yaml *recompute)
{
	static const char *const keys[] = { "recompute", "select_recompute", "select_comm_recompute" };
	struct init_round *round = &f->round[r];
	struct grid *list[] = { &round->settings.recompute, &round->settings.select_recompute,
	    &round->settings.select_comm_recompute };
	const struct yaml *offset = round_part(f, yaml_get(pipeline, "offset"), "offset", r);

	round->place = offset != NULL ? offset->place : pipeline->place;
	round->settings.offset = settings_list(offset, "offset", 1, f->stages, NULL);
	round->layers = settings_layers(&round->settings, f->layers, round->place);
	for (int k = 0; k < 3; k++) {
		const struct yaml *value = yaml_get(recompute, keys[k]), *part = NULL;
		int before = round->operators.n;

		if (k > 0 && value != NULL && value->type == YAML_MAP)
			read_operators(f, r, value, k == 2);
		else
			part = round_part(f, value, keys[k], r);
		*list[k] = round->operators.n > before ? grid_copy(round->operators.at[before].count) :
		    settings_list(part, keys[k], 1, f->stages, &round->layers);
		if (part != NULL)
			round->place = part->place;
	}
}

/*
 * Count the layers of each kind. If the operator lists of any round differ, all rounds have kinds made from the lists.
 * Otherwise they have select and comm.
 */
static void
count_kinds(struct initfile *f, const struct yaml *recompute)
{
	static const char *const keys[] = { "select_recompute", "select_comm_recompute" };
	bool differ = false;

	for (int r = 0; r < f->rounds; r++)
		differ |= operator_lists_differ(&f->round[r].operators);
	for (int k = 0; differ && k < 2; k++) {
		const struct yaml *value = yaml_get(recompute, keys[k]);

		if (value != NULL && value->type == YAML_LIST)
			place_die(value->place, "%s: a list without patterns, next to lists that differ from pattern "
			    "to pattern: kinds of recomputation cannot be determined", keys[k]);
	}
	for (int r = 0; r < f->rounds; r++) {
		struct init_round *round = &f->round[r];

		if (differ)
			operator_lists_kinds(&round->operators, &f->kinds, round->settings.recompute, round->layers,
			    round->kind);
		else
			settings_to_counts(&round->settings, f->layers, round->kind, round->place);
	}
}

/* Read the number of body layers: one number, or one per kind of body layers. */
static void
read_layers(struct initfile *f, const struct yaml *node)
{
	f->bodies = node->type == YAML_LIST ? node->n : 1;
	if (f->bodies == 0 || f->bodies > MAX_BODIES)
		place_die(node->place, "num_layer: %d numbers; expected one for each kind of body layers, at most %d",
		    f->bodies, MAX_BODIES);
	f->body_layers = xcalloc((size_t)f->bodies, sizeof *f->body_layers);
	for (int b = 0; b < f->bodies; b++) {
		f->body_layers[b] =
		    yaml_int(node->type == YAML_LIST ? node->item[b] : node, "num_layer", 1, MAX_LAYERS);
		f->layers += f->body_layers[b];
	}
	if (f->layers > MAX_LAYERS)
		place_die(node->place, "num_layer: %d layers in all, more than %d", f->layers, MAX_LAYERS);
}

static void
read_pipeline(struct initfile *f, const struct yaml *top)
{
	static const char *const pipeline_keys[] = { "pipeline_num", "num_layer", "offset", NULL };
	static const char *const recompute_keys[] = { "recompute", "select_recompute",
		"select_comm_recompute", NULL };
	const struct yaml *pipeline = yaml_need(top, "pipeline_config");
	const struct yaml *recompute = yaml_get(top, "recompute_config");

	f->place = pipeline->place;
	yaml_known(pipeline, pipeline_keys);
	if (recompute != NULL)
		yaml_known(recompute, recompute_keys);
	f->stages = yaml_int(yaml_need(pipeline, "pipeline_num"), "pipeline_num", 2, MAX_STAGES);
	read_layers(f, yaml_need(pipeline, "num_layer"));
	count_rounds(f, yaml_get(pipeline, "offset"), "offset");
	for (int k = 0; recompute_keys[k] != NULL; k++)
		count_rounds(f, yaml_get(recompute, recompute_keys[k]), recompute_keys[k]);
}

static void
add_memory(struct initfile *f, int round, int stage, const struct yaml *node, const char *key)
{
	for (int i = 0; i < f->memories; i++)
		if (f->memory[i].round == round && f->memory[i].stage == stage)
			place_die(node->place, "%s: stage %d of round %d a second time, first on line %ld",
			    key, stage, round, f->memory[i].place.line);
	*APPEND(f->memory, f->memories) = (struct init_memory){ node->place, round, stage,
	    yaml_real(node, key, 1, max_memory) };
}

/* Read head_memory or tail_memory: one number, for the first round, or one per round. */
static void
read_end(struct initfile *f, const struct yaml *node, const char *key, int stage)
{
	if (node == NULL)
		return;
	if (node->type != YAML_LIST) {
		add_memory(f, 0, stage, node, key);
		return;
	}
	if (node->n != f->rounds)
		place_die(node->place, "%s: %d entries, but there are %d rounds", key, node->n, f->rounds);
	for (int r = 0; r < node->n; r++)
		add_memory(f, r, stage, node->item[r], key);
}

static void
read_bodies(struct initfile *f, const struct yaml *ids, const struct yaml *memories)
{
	for (int r = 0; r < f->rounds; r++) {
		const struct yaml *id = round_part(f, ids, "stage_id", r);
		const struct yaml *memory = round_part(f, memories, "memories", r);

		if (id->type != YAML_LIST)
			place_die(id->place, "stage_id: expected a list of stages%s",
			    f->rounds > 1 ? " for each round" : "");
		if (memory->type != YAML_LIST || memory->n != id->n)
			place_die(memory->place,
			    "memories: expected a list of %d numbers, one for each entry of stage_id%s", id->n,
			    f->rounds > 1 ? " in each round" : "");
		for (int i = 0; i < id->n; i++)
			add_memory(f, r, yaml_int(id->item[i], "stage_id", 0, f->stages - 1), memory->item[i],
			    "memories");
	}
}

ORDER_BY(memory_compare, struct init_memory, it->round, it->stage)

static void
read_memory(struct initfile *f, const struct yaml *usage)
{
	const struct yaml *body;

	if (usage == NULL)
		return;
	body = yaml_get(usage, "body_memories");
	read_end(f, yaml_get(usage, "head_memory"), "head_memory", 0);
	read_end(f, yaml_get(usage, "tail_memory"), "tail_memory", f->stages - 1);
	if (body != NULL)
		read_bodies(f, yaml_need(body, "stage_id"), yaml_need(body, "memories"));
	SORT(f->memory, f->memories, memory_compare);
}

static void
known_memory(struct initfile *f, const struct yaml *usage)
{
	static const char *const usage_keys[] = { "head_memory", "tail_memory", "body_memories", NULL };
	static const char *const body_keys[] = { "stage_id", "memories", NULL };
	const struct yaml *body;

	if (usage == NULL)
		return;
	yaml_known(usage, usage_keys);
	body = yaml_get(usage, "body_memories");
	if (body == NULL)
		return;
	yaml_known(body, body_keys);
	count_rounds(f, yaml_get(body, "stage_id"), "stage_id");
	count_rounds(f, yaml_get(body, "memories"), "memories");
}

static void
read_time(struct initfile *f, const struct yaml *time)
{
	static const char *const keys[] = { "head", "body", "tail", NULL };
	const struct yaml *body;

	if (time == NULL)
		return;
	yaml_known(time, keys);
	f->has_time = true;
	body = yaml_need(time, keys[LAYER_BODY]);
	f->body_times = body->type == YAML_LIST ? body->n : 1;
	if (f->body_times == 0 || f->body_times > MAX_BODIES)
		place_die(body->place, "body: %d times; expected one for each kind of body layers, at most %d",
		    f->body_times, MAX_BODIES);
	f->body_time = xcalloc((size_t)f->body_times, sizeof *f->body_time);
	for (int b = 0; b < f->body_times; b++)
		f->body_time[b] = yaml_real(body->type == YAML_LIST ? body->item[b] : body, "body", 0, max_time);
	for (int i = 0; i < 3; i++)
		f->time[i] = i == LAYER_BODY ? f->body_time[0]
		    : yaml_real(yaml_need(time, keys[i]), keys[i], 0, max_time);
}

static void
read_names(struct init_names *names, const struct yaml *node, const char *key)
{
	if (node == NULL)
		return;
	if (node->type == YAML_MAP || (node->type == YAML_LIST && node->n == 0))
		place_die(node->place, "%s: expected the name of a layer, or a list of names", key);
	names->n = node->type == YAML_LIST ? node->n : 1;
	names->at = xcalloc((size_t)names->n, sizeof *names->at);
	for (int i = 0; i < names->n; i++) {
		const struct yaml *name = node->type == YAML_LIST ? node->item[i] : node;

		names->at[i] = yaml_string(name, key);
		if (names->at[i][0] == '\0')
			place_die(name->place, "%s: an empty name", key);
	}
}

static void
read_profiling(struct initfile *f, const struct yaml *profiling)
{
	static const char *const keys[] = { "micro_batch_num", "folder_path", "head_layers", "body_layers",
	    "tail_layers", NULL };
	const struct yaml *node;

	if (profiling == NULL)
		return;
	yaml_known(profiling, keys);
	f->has_profiling = true;
	if ((node = yaml_get(profiling, "micro_batch_num")) != NULL)
		f->micro_batches = yaml_int(node, "micro_batch_num", 1, MAX_MICRO);
	if ((node = yaml_get(profiling, "folder_path")) != NULL)
		f->folder = yaml_string(node, "folder_path");
	for (int i = 0; i < 3; i++)
		read_names(&f->names[i], yaml_get(profiling, keys[2 + i]), keys[2 + i]);
}

static void
read_model(struct initfile *f, const struct yaml *model)
{
	static const char *const keys[] = { "seq_length", "hidden_size", "num_heads", "vocab_size", "batch_size",
		"model_parallel", "intermediate_size", NULL };
	struct model *m = &f->model;
	int *member[] = { &m->seq_length, &m->hidden_size, &m->num_heads, &m->vocab_size, &m->batch_size,
	    &m->model_parallel, &m->intermediate_size };

	if (model == NULL)
		return;
	yaml_known(model, keys);
	for (int i = 0; keys[i] != NULL; i++) {
		const struct yaml *node = yaml_get(model, keys[i]);

		if (node != NULL)
			*member[i] = yaml_int(node, keys[i], 1, MAX_SIZE);
	}
}

void
initfile_read(struct initfile *f, const char *path)
{
	initfile_parse(f, yaml_read(path));
}

void
initfile_parse(struct initfile *f, struct yaml *yaml)
{
	static const char *const keys[] = { "pipeline_config", "recompute_config", "time_config",
	    "profiling_config", "memory_usage", "model_config", NULL };
	const struct yaml *top, *usage;

	*f = (struct initfile){ .yaml = yaml };
	top = f->yaml;
	f->place = (struct place){ top->place.source, 0 };
	if (top->type == YAML_MAP && yaml_get(top, "parallel_config") != NULL)
		place_die(yaml_get(top, "parallel_config")->place,
		    "parallel_config: this is the YAML of a training run; an init YAML describes measurements, see "
		    "sapp-memsplit(1)");
	yaml_known(top, keys);
	if (yaml_get(top, "time_config") != NULL && yaml_get(top, "profiling_config") != NULL)
		place_die(yaml_get(top, "profiling_config")->place,
		    "time_config and profiling_config exclude each other: both give times");
	read_time(f, yaml_get(top, "time_config"));
	read_profiling(f, yaml_get(top, "profiling_config"));
	read_model(f, yaml_get(top, "model_config"));
	usage = yaml_get(top, "memory_usage");
	/* sapp-trace needs profiling_config alone. */
	if (yaml_get(top, "pipeline_config") == NULL && usage == NULL &&
	    yaml_get(top, "recompute_config") == NULL)
		return;
	read_pipeline(f, top);
	if (f->has_time && f->body_times != f->bodies)
		place_die(yaml_get(yaml_get(top, "time_config"), "body")->place,
		    "body: %d time%s for the %d kind%s of body layers in num_layer", f->body_times,
		    f->body_times == 1 ? "" : "s", f->bodies, f->bodies == 1 ? "" : "s");
	known_memory(f, usage);
	if (f->rounds == 0)
		f->rounds = 1;
	f->round = xcalloc((size_t)f->rounds, sizeof *f->round);
	for (int r = 0; r < f->rounds; r++)
		read_round(f, r, yaml_get(top, "pipeline_config"), yaml_get(top, "recompute_config"));
	count_kinds(f, yaml_get(top, "recompute_config"));
	read_memory(f, usage);
}

void
initfile_free(struct initfile *f)
{
	for (int r = 0; r < f->rounds; r++) {
		settings_free(&f->round[r].settings);
		operator_lists_free(&f->round[r].operators);
		for (int k = 0; k < RECOMPUTE_KINDS; k++)
			free(f->round[r].kind[k].at);
		free(f->round[r].layers.at);
	}
	for (int i = 0; i < 3; i++)
		free(f->names[i].at);
	operator_kinds_free(&f->kinds);
	free(f->round);
	free(f->memory);
	free(f->body_layers);
	free(f->body_time);
	yaml_release(f->yaml);
	*f = (struct initfile){ 0 };
}
