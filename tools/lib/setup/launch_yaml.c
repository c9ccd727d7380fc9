#include "launch_yaml.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#include "lib/base/alloc.h"
#include "lib/base/memstream.h"
#include "option_table.h"

enum { EXTENDS_MOST = 16, MAPS = 3 };

/* The forms of files with arguments as keys. A path has keys with '.' between them; '*' is any key. */
static const struct form {
	enum target target;	/* TARGETS: plans are not written into such a file */
	const char *needs;	/* path that every file of this form has */
	const char *maps[MAPS];	/* paths of the maps with arguments: of the run (required), of the model, of the data */
	bool dashed;		/* keys begin with two dashes */
	bool deep;		/* maps inside of these maps have arguments also */
	bool nemo;		/* keys have NeMo's names */
	const char *nodes, *devices;	/* keys with the numbers for the launcher */
	/* directory in a checkout with the files of models that the key "model", next to the map, names */
	const char *presets;
	const char *on[2];	/* flags that are on if the file does not set them */
	const char *above[2];	/* keys to write above the maps */
	int column;
} forms[] = {
	/* defaults in primus/configs/modules/megatron/pre_trainer.yaml, models/megatron/language_model.yaml */
	{ .target = TARGET_PRIMUS, .maps = { "modules.*.overrides" }, .presets = "primus/configs/models/megatron",
		.on = { "sequence_parallel", "use_distributed_optimizer" }, .column = 6,
		.above = { "modules:\n  pre_trainer:\n    framework: megatron\n    overrides:\n" } },
	{ .target = TARGET_FLAGSCALE, .maps = { "system", "model", "data" }, .deep = true, .column = 2,
		.nodes = "experiment.runner.nnodes", .devices = "experiment.runner.nproc_per_node",
		.above = { "system:\n", "model:\n" } },
	{ .target = TARGET_FLAGSCALE, .maps = { "train.system", "train.model", "train.data" }, .deep = true,
		.nodes = "experiment.runner.nnodes", .devices = "experiment.runner.nproc_per_node" },
	{ .target = TARGET_HYPERPARALLEL, .needs = "train.accelerator" },
	/* model_config.yaml in the tests of Megatron-LM */
	{ .target = TARGETS, .maps = { "MODEL_ARGS" }, .dashed = true },
	{ .target = TARGETS, .maps = { "" }, .dashed = true },
	/* overrides of a recipe of Megatron-Bridge, or its run_config.yaml */
	{ .target = TARGETS, .needs = "train.micro_batch_size", .maps = { "model", "train", "dataset" }, .nemo = true },
	{ .target = TARGETS, .needs = "model.tensor_model_parallel_size", .maps = { "model" }, .nemo = true,
		.nodes = "trainer.num_nodes", .devices = "trainer.devices" },
	/* FILE of the command "megatron sft FILE" (ms-swift) */
	{ .target = TARGETS, .needs = "micro_batch_size", .maps = { "" } },
};

/* Keys that equal an argument of another name if their value is VALUE. */
static const struct other_key {
	const char *key, *value, *argument;
} other_keys[] = {
	{ "add_bias_linear", "false", "disable_bias_linear" }, { "bias", "false", "disable_bias_linear" },
	{ "share_embeddings_and_output_weights", "false", "untie_embeddings_and_output_weights" },
	{ "activation", "swiglu", "swiglu" }, { "activation", "fast-swiglu", "swiglu" },
	{ "normalization", "rmsnorm", "use_rmsnorm" }, { "normalization", "RMSNorm", "use_rmsnorm" },
};

/* Key of NeMo with a value that Megatron-LM computes itself (arguments.py, validate_args). */
static const char computed[] = "virtual_pipeline_model_parallel_size";

struct reading {
	struct started *to;
	const struct yaml *root;
	const struct form *form;
	const struct texts *environment;	/* "NAME=value"; NULL: unknown */
	int room, depth;
};

/* Return the value at a path, or NULL if it is absent or null. Exit if '*' matches several keys. */
static const struct yaml *
at(const struct yaml *from, const char *path)
{
	size_t n = strcspn(path, ".");
	const struct yaml *found = NULL;

	if (*path == '\0')
		return from;
	for (int i = 0; from->type == YAML_MAP && i < from->n; i++) {
		const struct yaml *inner;

		if (*path != '*' && (strncmp(from->key[i], path, n) != 0 || from->key[i][n] != '\0'))
			continue;
		inner = at(from->item[i], path + n + (path[n] == '.'));
		if (inner != NULL && found != NULL)
			place_die(inner->place, "a second map of arguments '%s'", from->key[i]);
		found = inner != NULL ? inner : found;
	}
	return found != NULL && !yaml_is_null(found) ? found : NULL;
}

static const struct yaml *
map_at(const struct yaml *from, const char *path)
{
	const struct yaml *found = path != NULL ? at(from, path) : NULL;

	return found != NULL && found->type == YAML_MAP ? found : NULL;
}

static const struct yaml *
scalar_at(const struct yaml *from, const char *path)
{
	const struct yaml *found = path != NULL ? at(from, path) : NULL;

	return found != NULL && found->type == YAML_SCALAR ? found : NULL;
}

static bool
is_of(const struct form *f, const struct yaml *root)
{
	const struct yaml *first = map_at(root, f->maps[0]);

	return (f->needs == NULL || at(root, f->needs) != NULL) && (f->maps[0] == NULL || first != NULL) &&
	    (!f->dashed || (first->n > 0 && strncmp(first->key[0], "--", 2) == 0));
}

/* Return the form of a file, or NULL if it has none of these. */
static const struct form *
form_of(const struct yaml *root)
{
	for (size_t i = 0; i < sizeof forms / sizeof forms[0]; i++)
		if (is_of(&forms[i], root))
			return &forms[i];
	return NULL;
}

enum target
launch_yaml_target(const struct yaml *root)
{
	const struct form *f = form_of(root);

	return f != NULL ? f->target : TARGETS;
}

static void
add(struct reading *r, const char *word, struct place place)
{
	*APPEND(r->to->line, r->room) = place.line;
	texts_add(&r->to->program.arguments, word);
}

/*
 * Return the variable or the default in "${NAME:4}", or for "${a.b}" the value at that path. Return NULL if the value is known
 * only when the run starts.
 */
static char *
expansion(const struct reading *r, const char *inside, size_t n)
{
	const char *colon = memchr(inside, ':', n);
	const struct yaml *there;
	char *path;

	for (int i = 0; colon != NULL && r->environment != NULL && i < r->environment->n; i++) {
		const char *set = r->environment->at[i];
		size_t name = (size_t)(colon - inside);

		if (strncmp(set, inside, name) == 0 && set[name] == '=')
			return xstrdup(set + name + 1);
	}
	if (colon != NULL)
		return xstrndup(colon + 1, (size_t)(inside + n - (colon + 1)));
	path = xstrndup(inside, n);
	there = scalar_at(r->root, path);
	free(path);
	return there != NULL && strstr(there->text, "${") == NULL ? xstrdup(there->text) : NULL;
}

/* Return the text of a value after all expansions. */
static char *
text_of(const struct reading *r, const struct yaml *v)
{
	char *text = xstrdup(v->text);
	const char *open, *close;

	while (text != NULL && (open = strstr(text, "${")) != NULL && (close = strchr(open, '}')) != NULL) {
		char *value = expansion(r, open + 2, (size_t)(close - open - 2)), *all = value == NULL ? NULL :
		    xasprintf("%.*s%s%s", (int)(open - text), text, value, close + 1);

		free(value);
		free(text);
		text = all;
	}
	return text;
}

/* Return the option for a key: "--num-layers" for num_layers or --num-layers. */
static char *
option_of(const char *key)
{
	char *option = xasprintf("%s%s", strncmp(key, "--", 2) == 0 ? "" : "--", key);

	for (char *c = option; *c != '\0'; c++)
		*c = *c == '_' ? '-' : *c;
	return option;
}

static enum launch_option
option_named(const char *key)
{
	char *option = option_of(key);
	enum launch_option o = launch_named(option);

	free(option);
	return o;
}

/* Append an option to the command. TEXT: its value; NULL: it has none. */
static void
put_option(struct reading *r, const char *key, const char *text, struct place place)
{
	char *option = option_of(key);

	add(r, option, place);
	if (text != NULL)
		add(r, strcasecmp(text, "true") == 0 ? "true" : strcasecmp(text, "false") == 0 ? "false" : text, place);
	free(option);
}

/* If the key is in other_keys[], append the argument that it equals. Return whether other_keys[] has the key. */
static bool
put_other(struct reading *r, const char *key, const char *text, struct place place)
{
	bool any = false;

	for (size_t i = 0; i < sizeof other_keys / sizeof other_keys[0]; i++) {
		if (strcmp(other_keys[i].key, key) != 0)
			continue;
		any = true;
		if (strcasecmp(other_keys[i].value, text) == 0)
			put_option(r, other_keys[i].argument, NULL, place);
	}
	/* NeMo sets nothing but the number of groups. */
	if (r->form != NULL && r->form->nemo && strcmp(key, "num_query_groups") == 0)
		put_option(r, "group_query_attention", NULL, place);
	return any;
}

/* Write a list with commas, and each list inside of it in brackets. */
static void
put_list(const struct reading *r, FILE *f, const struct yaml *v, bool brackets)
{
	fputs(brackets ? "[" : "", f);
	for (int i = 0; i < v->n; i++) {
		char *text = v->item[i]->type == YAML_SCALAR ? text_of(r, v->item[i]) : NULL;

		fputs(i > 0 ? "," : "", f);
		if (text != NULL)
			fputs(text, f);
		else
			put_list(r, f, v->item[i], true);
		free(text);
	}
	fputs(brackets ? "]" : "", f);
}

/* Append a list as several words, or as one word with commas. */
static void
put_words(struct reading *r, const char *key, const struct yaml *v, enum launch_option o)
{
	bool one = o != LAUNCH_OPTIONS && launch_takes(o) == 1;

	put_option(r, key, NULL, v->place);
	for (int i = 0; i < (one ? 1 : v->n); i++) {
		const struct yaml *item = one ? v : v->item[i];
		bool bracket = one ? v->n > 0 && v->item[0]->type == YAML_LIST : item->type == YAML_LIST ||
		    (o != LAUNCH_OPTIONS && launch_rows[o].takes == LISTS && *item->text != '[');
		struct yaml alone = { .n = 1, .item = (struct yaml *[]){ v->item[i] } };
		char *text = NULL;
		size_t size;
		FILE *f = memstream_open(&text, &size);

		put_list(r, f, item->type == YAML_LIST ? item : &alone, bracket);
		memstream_close(f);
		add(r, text, item->place);
		free(text);
	}
}

/* Return "true" or "false" for a truth value. A number can be one also, as in Python. */
static const char *
on_or_off(const struct yaml *v, const char *text, const char *key)
{
	struct yaml word = *v;

	word.text = (char *)text;
	return strcmp(text, "1") == 0 || (strcmp(text, "0") != 0 && yaml_bool(&word, key)) ? "true" : "false";
}

static void
put_value(struct reading *r, const char *key, const struct yaml *v)
{
	bool chunks = strcmp(key, computed) == 0;
	enum launch_option o = option_named(key);
	char *text;

	if (chunks && (r->form == NULL || !r->form->nemo)) {
		place_warn(v->place, "%s: left out: Megatron-LM takes num_virtual_stages_per_pipeline_rank or "
		    "num_layers_per_virtual_pipeline_stage", key);
		return;
	}
	if (v->type == YAML_LIST) {
		put_words(r, key, v, o);
		return;
	}
	text = text_of(r, v);
	if (text == NULL && o != LAUNCH_OPTIONS)
		place_die(v->place, "%s: only known when it runs '%s'", key, v->text);
	if (text != NULL && *text != '\0' && strcasecmp(text, "null") != 0 && strcasecmp(text, "none") != 0) {
		if (strcmp(key, "model_type") == 0 && strcmp(text, "gpt") != 0 && strcmp(text, "mamba") != 0)
			place_die(v->place, "model_type: layers of this type are not read from settings; give the "
			    "network's config.json before this file '%s'", text);
		if (!put_other(r, key, text, v->place))
			put_option(r, chunks ? "num_virtual_stages_per_pipeline_rank" : key, o != LAUNCH_OPTIONS &&
			    launch_takes(o) == 0 ? on_or_off(v, text, key) : text, v->place);
	}
	free(text);
}

static void
put_map(struct reading *r, const struct yaml *map, bool deep)
{
	for (int i = 0; map != NULL && i < map->n; i++) {
		if (map->item[i]->type == YAML_MAP && deep)
			put_map(r, map->item[i], true);
		else if (map->item[i]->type != YAML_MAP && !yaml_is_null(map->item[i]) &&
		    strcmp(map->key[i], "extends") != 0)
			put_value(r, map->key[i], map->item[i]);
	}
}

char *
launch_yaml_above(const char *path, const char *name)
{
	char *directory = realpath(path, NULL), *slash, *file = NULL;

	while (directory != NULL && file == NULL && (slash = strrchr(directory, '/')) != NULL) {
		*slash = '\0';
		file = xasprintf("%s/%s", directory, name);
		if (access(file, R_OK) == 0)
			continue;
		free(file);
		file = NULL;
	}
	free(directory);
	return file;
}

/* Append the arguments in the file of a model. The files that it extends come first. */
static void
put_model(struct reading *r, const char *path)
{
	struct yaml *root = yaml_read(path);
	const struct yaml *extends = root->type == YAML_MAP ? yaml_get(root, "extends") : NULL;
	const char *slash = strrchr(path, '/');

	if (++r->depth > EXTENDS_MOST)
		place_die(root->place, "extends: more than %d files, each of which extends another", EXTENDS_MOST);
	for (int i = 0; extends != NULL && extends->type == YAML_LIST && i < extends->n; i++) {
		const char *name = yaml_string(extends->item[i], "extends");
		char *base = xasprintf("%.*s%s", slash != NULL ? (int)(slash + 1 - path) : 0, path, name);

		if (access(base, R_OK) == 0)
			put_model(r, base);
		else
			place_warn(extends->item[i]->place, "extends: not there: '%s'", base);
		free(base);
	}
	if (--r->depth == 0)
		r->to->defaults = r->to->program.arguments.n;
	put_map(r, root, false);
	yaml_release(root);
}

/* Append the defaults of the framework, then the arguments of the model that the module names. */
static void
put_presets(struct reading *r, const char *path)
{
	const struct form *f = r->form;
	const struct yaml *modules = map_at(r->root, "modules"), *name = NULL, *of = NULL;
	char *text, *file, *preset;

	for (int i = 0; i < modules->n; i++)
		if (map_at(modules->item[i], "overrides") != NULL) {
			name = scalar_at(modules->item[i], "model");
			of = scalar_at(modules->item[i], "framework");
		}
	if (of != NULL && strcmp(of->text, "megatron") != 0)
		place_die(of->place, "framework: a file of %s is read if it trains with megatron, not with '%s'",
		    target_titles[f->target], of->text);
	for (size_t i = 0; i < sizeof f->on / sizeof f->on[0]; i++)
		put_option(r, f->on[i], NULL, r->root->place);
	text = name != NULL ? text_of(r, name) : NULL;
	preset = xasprintf("%s/%s", f->presets, text != NULL ? text : "");
	file = text != NULL ? launch_yaml_above(path, preset) : NULL;
	free(preset);
	if (file != NULL)
		put_model(r, file);
	else if (name != NULL && scalar_at(r->root, "modules.*.overrides.num_layers") == NULL)
		place_warn(name->place, "model: no %s of a checkout above this file has it; give the network's "
		    "config.json before this file '%s'", f->presets, name->text);
	free(file);
	free(text);
	r->to->defaults = r->to->program.arguments.n;
}

static void
put_launcher(struct reading *r, const char *option, const char *path)
{
	const struct yaml *v = scalar_at(r->root, path);
	char *text = v != NULL ? text_of(r, v) : NULL;

	if (text != NULL && text[strspn(text, "0123456789")] == '\0') {
		texts_add(&r->to->program.launcher, option);
		texts_add(&r->to->program.launcher, text);
	}
	free(text);
}

bool
yaml_started(struct started *s, const struct yaml *root, const char *path)
{
	return yaml_started_in(s, root, path, NULL);
}

bool
yaml_started_in(struct started *s, const struct yaml *root, const char *path, const struct texts *environment)
{
	struct reading r = { .to = s, .root = root, .form = form_of(root), .environment = environment };
	bool model = r.form == NULL && scalar_at(root, "num_layers") != NULL && at(root, "extends") != NULL;

	if (!model && (r.form == NULL || r.form->maps[0] == NULL))
		return false;
	*s = (struct started){ .place = { root->place.source, 0 }, .keys = true };
	s->program.source = xstrdup(root->place.source);
	s->program.program = xstrdup("");
	if (model) {
		put_model(&r, path);
		return true;
	}
	if (r.form->presets != NULL)
		put_presets(&r, path);
	for (int i = 0; i < MAPS; i++)
		put_map(&r, map_at(root, r.form->maps[i]), r.form->deep);
	put_launcher(&r, "--nnodes", r.form->nodes);
	put_launcher(&r, "--nproc_per_node", r.form->devices);
	return true;
}

static bool
find(const struct yaml *map, enum launch_option o, bool deep, const struct yaml **in, int *at_entry)
{
	for (int i = 0; map != NULL && i < map->n; i++) {
		if (map->item[i]->type == YAML_MAP) {
			if (deep && find(map->item[i], o, deep, in, at_entry))
				return true;
		} else if (option_named(map->key[i]) == o && strcmp(map->key[i], computed) != 0) {
			*in = map;
			*at_entry = i;
			return true;
		}
	}
	return false;
}

/* Return whether an option is a key of the model's map. */
static bool
in_model(enum launch_option o)
{
	return o == LAUNCH_LAYERS || o == LAUNCH_MTP || o == LAUNCH_GLOBAL_BATCH || o == LAUNCH_MICRO_BATCH ||
	    o == LAUNCH_SEQ_LENGTH;
}

bool
launch_yaml_find(const struct yaml *root, enum launch_option o, const struct yaml **map, int *i)
{
	const struct form *f = form_of(root);
	const struct yaml *run = map_at(root, f->maps[0]), *model = map_at(root, f->maps[1]);

	*map = in_model(o) && model != NULL ? model : run;
	return find(run, o, f->deep, map, i) || find(model, o, f->deep, map, i);
}

char *
launch_yaml_key(enum launch_option o)
{
	char *key = xstrdup(launch_rows[o].flag + 2);

	for (char *c = key; *c != '\0'; c++)
		*c = *c == '-' ? '_' : *c;
	return key;
}

char *
launch_yaml_text(enum launch_option o, const char *value)
{
	char *text = NULL;
	size_t size;
	FILE *f;

	if (launch_rows[o].takes == NO_WORD)
		return xstrdup(strcmp(value, "false") == 0 ? value : "true");
	if (o == LAUNCH_LAYOUT || o == LAUNCH_HYBRID)
		return xasprintf("\"%s\"", value);
	if (launch_rows[o].takes == ONE_WORD && o != LAUNCH_SPLIT_LIST && o != LAUNCH_LAYER_IDS)
		return xstrdup(value);
	f = memstream_open(&text, &size);
	putc('[', f);
	for (const char *c = value; *c != '\0'; c++) {
		putc(*c == ' ' ? ',' : *c, f);
		if (*c == ' ' || *c == ',')
			putc(' ', f);
	}
	putc(']', f);
	memstream_close(f);
	return text;
}

static const struct form *
form_for(enum target t)
{
	const struct form *f = forms;

	while (f->target != t)
		f++;
	return f;
}

void
launch_yaml_defaults(struct launch *l, enum target t)
{
	const struct form *f = form_for(t);

	for (size_t i = 0; i < sizeof f->on / sizeof f->on[0] && f->on[i] != NULL; i++)
		if (l->value[option_named(f->on[i])] == NULL)
			launch_set(l, option_named(f->on[i]), xstrdup("false"));
}

void
launch_print_yaml(const struct launch *l, enum target t, FILE *f)
{
	const struct form *form = form_for(t);

	for (int map = 0; map < 2 && form->above[map] != NULL; map++) {
		fputs(form->above[map], f);
		for (int o = 0; o < LAUNCH_OPTIONS; o++) {
			char *key, *text;

			if (l->value[o] == NULL || (form->above[1] != NULL &&
			    in_model((enum launch_option)o) != (map == 1)))
				continue;
			key = launch_yaml_key((enum launch_option)o);
			text = launch_yaml_text((enum launch_option)o, l->value[o]);
			fprintf(f, "%*s%s: %s\n", form->column, "", key, text);
			free(key);
			free(text);
		}
	}
}
