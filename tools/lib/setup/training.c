#include "training.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/spelling.h"
#include "lib/base/whole.h"

enum { MOST = 100000, MOST_STAGES = 10000, MOST_CHUNKS = 1000 };	/* MOST: of any other number */

const struct training_path training_paths[TRAINING_KEYS] = {
	[TRAINING_OFFSET] = { { "model", "model_config" }, "offset" },
	[TRAINING_RECOMPUTE] = { { "recompute_config" }, "recompute" },
	[TRAINING_SELECT] = { { "recompute_config" }, "select_recompute" },
	[TRAINING_SELECT_COMM] = { { "recompute_config" }, "select_comm_recompute" },
	[TRAINING_INTERLEAVE_NUM] = { { "model", "model_config" }, "pp_interleave_num" },
	[TRAINING_INTERLEAVE] = { { "parallel", "pipeline_config" }, "pipeline_interleave" },
	[TRAINING_SCHEDULER] = { { "parallel", "pipeline_config" }, "pipeline_scheduler" },
	[TRAINING_MICRO] = { { "parallel_config" }, "micro_batch_num" },
	[TRAINING_SPLITS] = { { "parallel_config" }, "seq_split_num" },
	[TRAINING_SWAP] = { { "swap_config" }, "swap" },
	[TRAINING_LAYER_SWAP] = { { "swap_config" }, "layer_swap" },
	[TRAINING_OP_SWAP] = { { "swap_config" }, "op_swap" },
	[TRAINING_STAGES] = { { "parallel_config" }, "pipeline_stage" },
	[TRAINING_DATA] = { { "parallel_config" }, "data_parallel" },
	[TRAINING_MODEL] = { { "parallel_config" }, "model_parallel" },
	[TRAINING_CONTEXT] = { { "parallel_config" }, "context_parallel" },
	[TRAINING_CONTEXT_KIND] = { { "parallel_config" }, "context_parallel_algo" },
	[TRAINING_EXPERT] = { { "parallel_config" }, "expert_parallel" },
	[TRAINING_SEQUENCE] = { { "parallel_config" }, "use_seq_parallel" },
	[TRAINING_BATCH] = { { "runner_config" }, "batch_size" },
	[TRAINING_STEPS] = { { "runner_config" }, "gradient_accumulation_steps" },
	[TRAINING_OPTIMIZER] = { { "parallel" }, "enable_parallel_optimizer" },
	[TRAINING_SHARD] = { { "parallel", "parallel_optimizer_config" }, "optimizer_weight_shard_size" },
	[TRAINING_SCATTER] = { { "parallel", "parallel_optimizer_config" }, "gradient_accumulation_shard" },
	[TRAINING_GATHER] = { { "recompute_config" }, "parallel_optimizer_comm_recompute" },
	[TRAINING_MEMORY] = { { "context" }, "max_device_memory" },
	[TRAINING_PERMUTE] = { { "moe_config" }, "use_fused_ops_permute" },
};

/* Return the value of KEY, or NULL if it is absent or null. */
static const struct yaml *
get(const struct yaml *map, const char *key)
{
	const struct yaml *node = map == NULL || yaml_is_null(map) ? NULL : yaml_get(map, key);

	return node == NULL || yaml_is_null(node) ? NULL : node;
}

const struct yaml *
training_map(const struct training *t, enum training_key key)
{
	const struct yaml *map = t->root;

	for (int i = 0; map != NULL && training_paths[key].map[i] != NULL; i++)
		map = get(map, training_paths[key].map[i]);
	return map;
}

const struct yaml *
training_value(const struct training *t, enum training_key key)
{
	return get(training_map(t, key), training_paths[key].key);
}

/* Exit unless a list has one entry per stage. */
static void
row_check(const struct yaml *list, const char *key, int stages)
{
	if (list->n != stages)
		place_die(list->place, "%s: %d entries, but pipeline_stage is %d", key, list->n, stages);
}

bool
training_of_lists(const struct yaml *list)
{
	return list->n > 0 && list->item[0]->type == YAML_LIST;
}

bool
training_of_patterns(const struct yaml *list)
{
	return list->n > 0 && list->item[0]->type == YAML_SCALAR &&
	    strspn(list->item[0]->text, "+-0123456789") == 0 &&
	    !yaml_is_bool(list->item[0]);
}

/* Check the lengths of a value's lists. */
static void
shape_check(const struct training *t, const struct yaml *value, const char *key)
{
	if (value->type != YAML_LIST || training_of_patterns(value))
		return;
	if (!training_of_lists(value)) {
		row_check(value, key, t->stages);
		return;
	}
	if (value->n != t->interleave && value->n != t->interleave_num)
		place_die(value->place, "%s: %d lists, but pp_interleave_num is %d", key, value->n, t->interleave_num);
	for (int v = 0; v < value->n; v++)
		if (value->item[v]->type == YAML_LIST)
			row_check(value->item[v], key, t->stages);
		else
			yaml_bool(value->item[v], key);
}

void
training_check(const struct training *t)
{
	/* With offloading, lists are indices of layers, whose length is free. */
	for (int k = TRAINING_OFFSET; k < TRAINING_LISTS && !t->swap; k++) {
		const struct yaml *value = training_value(t, (enum training_key)k);

		if (value == NULL)
			continue;
		if (value->type == YAML_MAP)
			for (int i = 0; i < value->n; i++)
				shape_check(t, value->item[i], value->key[i]);
		else
			shape_check(t, value, training_paths[k].key);
	}
}

/* Return the MB in a text such as "56GB", "58 G" or "60000MB"; 0 for any other value. */
static double
memory(const struct yaml *node)
{
	char *end;
	double x;

	if (node == NULL || node->type != YAML_SCALAR)
		return 0;
	x = strtod(node->text, &end);
	end += strspn(end, " ");
	return end == node->text || x <= 0 ? 0 : *end == 'G' ? 1024 * x : *end == 'M' ? x : 0;
}

/* Return a value that is a whole number, or 0 for any other value. */
static int
number(const struct yaml *node)
{
	bool plain = node != NULL && node->type == YAML_SCALAR && *node->text != '\0' && strlen(node->text) < 9 &&
	    node->text[strspn(node->text, "0123456789")] == '\0';

	return plain ? whole_of(node->text, INT_MAX) : 0;
}

void
training_read(struct training *t, const char *path)
{
	size_t length;
	char *text = yaml_slurp(path, &length);

	training_parse(t, path, text, length, true);
	training_check(t);
}

/* MindFormers sets one of the two numbers to 1, depending on pipeline_stage (trainer/base_trainer.py at fd4deebc). */
static void
read_micro(struct training *t)
{
	const struct yaml *node = training_value(t, TRAINING_STEPS), *of_pipeline = training_value(t, TRAINING_MICRO);
	int steps = node != NULL ? yaml_int(node, "gradient_accumulation_steps", 1, MOST) : 1;

	if (of_pipeline != NULL)
		t->micro_batches = yaml_int(of_pipeline, "micro_batch_num", 1, MOST);
	if (t->stages == 1)
		t->micro_batches = steps;
	else if (steps > 1)
		place_die(node->place, "gradient_accumulation_steps: not allowed with pipeline_stage %d, whose number "
		    "of micro-batches is micro_batch_num '%d'", t->stages, steps);
}

/* Return jit_level if it is O2. MindSpore's InterleavedScheduler needs O0 or O1, and ENABLE_LESS_MEM_VPP. */
static const struct yaml *
whole_graph(const struct training *t)
{
	const struct yaml *context = get(t->root, "context"), *level = get(context, "jit_level");

	if (level == NULL)
		level = get(get(context, "jit_config"), "jit_level");
	return level != NULL && level->type == YAML_SCALAR && strcmp(level->text, "O2") == 0 ? level : NULL;
}

/* Read the sizes that throughput needs. Ignore values that are not numbers. */
static void
read_batch(struct training *t)
{
	const struct yaml *parallel = get(t->root, "parallel_config");
	const struct yaml *model_config = training_map(t, TRAINING_OFFSET);
	int batch = number(get(get(t->root, "runner_config"), "batch_size"));
	const struct yaml *node = get(t->root, "micro_batch_interleave_num");
	int model = number(get(parallel, "model_parallel")), context = number(get(parallel, "context_parallel"));

	t->seq_length = number(get(model_config, "seq_length"));
	t->hidden_size = number(get(model_config, "hidden_size"));
	t->num_heads = number(get(model_config, "num_heads"));
	t->vocab_size = number(get(model_config, "vocab_size"));
	t->intermediate_size = number(get(model_config, "intermediate_size"));
	t->copies = node != NULL ? yaml_int(node, "micro_batch_interleave_num", 1, MOST_CHUNKS) : 1;
	t->batch_size = batch * t->copies;
	t->sharing = model * (context > 0 ? context : 1);
}

/* Warn about keys that differ by few letters from a key that MindFormers knows. It ignores unknown keys. */
static void
warn_misspelt(const struct yaml *root)
{
	static const struct { const char *map[3], *known[16]; } sections[] = {
		{ { "recompute_config" }, { "recompute", "select_recompute", "parallel_optimizer_comm_recompute",
		    "select_comm_recompute", "mp_comm_recompute", "recompute_slice_activation",
		    "select_recompute_exclude", "select_comm_recompute_exclude" } },
		{ { "swap_config" }, { "swap", "layer_swap", "op_swap", "default_prefetch" } },
		{ { "parallel_config" }, { "data_parallel", "model_parallel", "context_parallel", "expert_parallel",
		    "pipeline_stage", "micro_batch_num", "seq_split_num", "use_seq_parallel", "optimizer_shard",
		    "gradient_aggregation_group", "vocab_emb_dp", "context_parallel_algo", "ulysses_degree_in_cp",
		    "mem_coeff", "recompute" } },
		{ { "parallel", "pipeline_config" }, { "pipeline_interleave", "pipeline_scheduler" } },
		{ { "parallel", "parallel_optimizer_config" }, { "gradient_accumulation_shard",
		    "parallel_optimizer_threshold", "optimizer_weight_shard_size" } },
		{ { "model", "model_config" }, { "offset", "pp_interleave_num", "num_layers", "num_heads",
		    "hidden_size", "seq_length", "vocab_size", "intermediate_size" } },
	};

	for (size_t i = 0; i < sizeof sections / sizeof sections[0]; i++) {
		const struct yaml *map = get(root, sections[i].map[0]);

		map = map != NULL && sections[i].map[1] != NULL ? get(map, sections[i].map[1]) : map;
		for (int k = 0; map != NULL && map->type == YAML_MAP && k < map->n; k++) {
			const char *near = spelling_slip(map->key[k], sections[i].known);

			if (near != NULL && get(map, near) == NULL)
				place_warn(map->key_place[k], "unknown key '%s'; did you mean %s?", map->key[k], near);
		}
	}
}

void
training_parse(struct training *t, const char *path, char *text, size_t length, bool warn)
{
	static const char *const layer_names[] = { "num_layers", "num_hidden_layers", "n_layer", NULL };
	static const char *const extra_names[] = { "mtp_depth", "num_nextn_predict_layers", "mtp_num_layers",
	    NULL };
	const struct yaml *model, *node;

	*t = (struct training){ .path = path, .text = text, .length = length, .place = { path, 0 },
	    .interleave_num = 1, .seq_split = 1 };
	t->root = yaml_parse_loaded(t->text, t->length, path, warn);
	if (warn)
		warn_misspelt(t->root);
	node = get(get(t->root, "parallel_config"), "pipeline_stage");
	if (node == NULL)
		place_die(t->place, "not the YAML of a pipeline: no parallel_config: pipeline_stage of MindFormers, "
		    "and no arguments of Megatron-LM as in files of FlagScale, Primus, NeMo and ms-swift; give the "
		    "script, or the log of a run");
	t->stages = yaml_int(node, "pipeline_stage", 1, MOST_STAGES);
	model = training_map(t, TRAINING_OFFSET);
	if (model == NULL)
		place_die(t->place, "missing key 'model: model_config', which holds the offset");
	for (int i = 0; layer_names[i] != NULL && t->layers == 0; i++)
		if ((node = get(model, layer_names[i])) != NULL)
			t->layers = yaml_int(node, layer_names[i], 1, MOST);
	for (int i = 0; extra_names[i] != NULL && t->extra_layers == 0; i++)
		if ((node = get(model, extra_names[i])) != NULL)
			t->extra_layers = yaml_int(node, extra_names[i], 0, MOST);
	if ((node = training_value(t, TRAINING_INTERLEAVE_NUM)) != NULL)
		t->interleave_num = yaml_int(node, "pp_interleave_num", 1, MOST_CHUNKS);
	/* The default is false. */
	node = training_value(t, TRAINING_INTERLEAVE);
	t->interleave_said = node != NULL;
	t->interleave = node != NULL && yaml_bool(node, "pipeline_interleave") ? t->interleave_num : 1;
	read_micro(t);
	if ((node = training_value(t, TRAINING_SCHEDULER)) != NULL)
		t->scheduler = yaml_string(node, "pipeline_scheduler");
	node = training_value(t, TRAINING_SPLITS);
	if (node != NULL && t->scheduler != NULL && strncmp(t->scheduler, "seq", 3) == 0)
		t->seq_split = yaml_int(node, "seq_split_num", 1, MOST);
	t->device_memory = memory(training_value(t, TRAINING_MEMORY));
	read_batch(t);
	node = get(get(t->root, "swap_config"), "swap");
	t->swap = node != NULL && yaml_bool(node, "swap");
	t->whole_graph = whole_graph(t);
}

void
training_free(struct training *t)
{
	yaml_release(t->root);
	free(t->text);
}

static int
at_most(int n, struct grid layers, int chunk, int stage)
{
	int most = layers.chunks == 0 ? n : *grid_at(layers, chunk, stage);

	return n < most ? n : most;
}

/* Distribute N recomputed layers of a stage over its chunks in turn, skipping chunks without layers left. */
static void
deal(struct grid g, int stage, int n, struct grid layers)
{
	int before = -1;

	for (int dealt = 0; dealt < n && dealt != before;) {
		before = dealt;
		for (int v = 0; v < g.chunks && dealt < n; v++)
			if (*grid_at(g, v, stage) < *grid_at(layers, v, stage)) {
				++*grid_at(g, v, stage);
				dealt++;
			}
	}
}

/* Return a number or truth value as a number. The number for true is larger than the number of layers of any stage. */
static int
entry(const struct yaml *node, const char *key)
{
	return yaml_is_bool(node) ? (yaml_bool(node, key) ? MOST : 0) : yaml_int(node, key, 0, MOST);
}

static const struct grid unknown;

static struct grid
give_up(struct grid g)
{
	free(g.at);
	return unknown;
}

static struct grid
counts_of_map(const struct yaml *map, const char *key, int chunks, int stages, struct grid layers)
{
	struct grid first = grid_new(chunks, stages), other;

	for (int i = 0; i < map->n; i++) {
		if (map->item[i]->type == YAML_MAP)
			place_die(map->item[i]->place, "%s: expected a number of layers for the pattern '%s'",
			    key, map->key[i]);
		other = training_counts(map->item[i], key, chunks, stages, layers);
		if (other.chunks == 0)
			return give_up(first);
		if (i > 0 && memcmp(first.at, other.at, (size_t)(chunks * stages) * sizeof *first.at) != 0)
			place_die(map->key_place[i],
			    "%s: not the same layers as the patterns before it '%s'; a plan has one number for all "
			    "patterns", key, map->key[i]);
		memcpy(first.at, other.at, (size_t)(chunks * stages) * sizeof *first.at);
		free(other.at);
	}
	return first;
}

struct grid
training_counts(const struct yaml *value, const char *key, int chunks, int stages, struct grid layers)
{
	struct grid g;

	if (value != NULL && value->type == YAML_MAP)
		return counts_of_map(value, key, chunks, stages, layers);
	g = grid_new(chunks, stages);
	if (value == NULL)
		return g;
	if (value->type == YAML_SCALAR || training_of_patterns(value)) {
		int all = value->type == YAML_SCALAR ? entry(value, key) : MOST;

		if (all != 0 && all != MOST)
			place_die(value->place,
			    "%s: expected true, false or a list with one number per stage '%s'", key,
			    value->text);
		if (all != 0 && layers.chunks == 0)
			return give_up(g);
		for (int i = 0; i < chunks * stages; i++)
			g.at[i] = all == 0 ? 0 : layers.at[i];
		return g;
	}
	if (training_of_lists(value)) {
		for (int v = 0; v < chunks; v++)
			for (int s = 0; s < stages; s++) {
				const struct yaml *list = value->item[v];
				int n = entry(list->type == YAML_LIST ? list->item[s] : list, key);

				if (n == MOST && layers.chunks == 0)
					return give_up(g);
				*grid_at(g, v, s) = at_most(n, layers, v, s);
			}
		return g;
	}
	for (int s = 0; s < stages; s++) {
		int n = entry(value->item[s], key);

		if (layers.chunks == 0 && (chunks > 1 || n == MOST) && n > 0)
			return give_up(g);
		if (n == 0)
			continue;
		if (chunks == 1)
			*grid_at(g, 0, s) = at_most(n, layers, 0, s);
		else
			deal(g, s, n, layers);
	}
	return g;
}

struct grid
training_offsets(const struct training *t)
{
	const struct yaml *value = training_value(t, TRAINING_OFFSET);
	struct grid g;

	if (value == NULL || value->type != YAML_LIST || training_of_lists(value))
		return settings_list(value, "offset", t->interleave, t->stages, NULL);
	g = grid_new(t->interleave, t->stages);
	for (int i = 0; i < t->interleave * t->stages; i++)
		g.at[i] = yaml_int(value->item[i % t->stages], "offset", -MOST, MOST);
	return g;
}

/* Exit if the lists are for another number of chunks. */
static void
check_chunks(const struct training *t, const struct yaml *value, const char *key)
{
	for (int i = 0; value != NULL && value->type == YAML_MAP && i < value->n; i++)
		check_chunks(t, value->item[i], value->key[i]);
	if (value != NULL && value->type == YAML_LIST && training_of_lists(value) && value->n != t->interleave)
		place_die(value->place, "%s: %d lists, but a stage has %d chunk%s", key, value->n, t->interleave,
		    t->interleave == 1 ? ", as pipeline_interleave is not true" : "s");
}

/* Read all lists up to the list of key LAST, and set all later lists to zero. */
static struct settings
settings_up_to(const struct training *t, int layers, enum training_key last)
{
	struct settings s = { .offset = training_offsets(t) };
	struct grid *list[TRAINING_LISTS] = {
		[TRAINING_RECOMPUTE] = &s.recompute, [TRAINING_SELECT] = &s.select_recompute,
		[TRAINING_SELECT_COMM] = &s.select_comm_recompute,
	};
	struct grid each = settings_layers(&s, layers, t->place);

	for (int k = TRAINING_RECOMPUTE; k <= (int)last; k++)
		check_chunks(t, training_value(t, (enum training_key)k), training_paths[k].key);
	for (int k = TRAINING_RECOMPUTE; k < TRAINING_LISTS; k++)
		*list[k] = training_counts(k > (int)last ? NULL : training_value(t, (enum training_key)k),
		    training_paths[k].key, t->interleave, t->stages, each);
	free(each.at);
	return s;
}

struct settings
training_settings(const struct training *t, int layers)
{
	return settings_up_to(t, layers, TRAINING_SELECT_COMM);
}

struct settings
training_settings_whole(const struct training *t, int layers)
{
	/* With offloading, lists are indices of layers. */
	return settings_up_to(t, layers, t->swap ? TRAINING_OFFSET : TRAINING_RECOMPUTE);
}

struct operator_lists
training_operators(const struct training *t, struct grid layers)
{
	struct operator_lists l = { 0 };
	const struct yaml *plain = NULL;

	for (int k = TRAINING_SELECT; k <= TRAINING_SELECT_COMM; k++) {
		const struct yaml *value = training_value(t, (enum training_key)k);
		const char *key = training_paths[k].key;
		bool map = value != NULL && value->type == YAML_MAP;
		bool list = value != NULL && value->type == YAML_LIST && training_of_patterns(value);

		check_chunks(t, value, key);
		for (int i = 0; (map || list) && i < value->n; i++) {
			if (map && value->item[i]->type == YAML_MAP)
				place_die(value->item[i]->place, "%s: expected a number of layers for the pattern '%s'",
				    key, value->key[i]);
			operator_lists_add(&l, list ? value->item[i]->text : value->key[i], k == TRAINING_SELECT_COMM,
			    list ? grid_copy(layers) : training_counts(value->item[i], key, layers.chunks,
			    layers.stages, layers), value->item[i]->place);
		}
		if (value != NULL && !map && !list) {
			struct grid all = training_counts(value, key, layers.chunks, layers.stages, layers);

			plain = grid_sum(all) > 0 ? value : plain;
			free(all.at);
		}
	}
	if (!operator_lists_differ(&l))
		operator_lists_free(&l);
	if (l.n > 0 && plain != NULL)
		place_die(plain->place, "a list without patterns, next to lists that differ from pattern to pattern: "
		    "kinds of recomputation cannot be determined");
	return l;
}
