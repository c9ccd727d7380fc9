#include "yaml_started.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#include "lib/base/alloc.h"
#include "launch_yaml.h"

enum { EXTENDS_MOST = 16 };

/* Keys whose meaning is an argument of another name, if their value is VALUE: of NeMo, and of Primus. */
static const struct other_key {
	const char *key, *value, *argument;
} other_keys[] = {
	{ "add_bias_linear", "false", "disable_bias_linear" }, { "bias", "false", "disable_bias_linear" },
	{ "share_embeddings_and_output_weights", "false", "untie_embeddings_and_output_weights" },
	{ "activation", "swiglu", "swiglu" }, { "activation", "fast-swiglu", "swiglu" },
	{ "normalization", "rmsnorm", "use_rmsnorm" }, { "normalization", "RMSNorm", "use_rmsnorm" },
};

struct reading {
	struct started *to;
	const struct yaml *root;
	int room, depth;
	bool nemo;
};

static void
add(struct reading *r, const char *word, struct place at)
{
	*APPEND(r->to->line, r->room) = at.line;
	texts_add(&r->to->program.arguments, word);
}

static const struct yaml *
map_of(const struct yaml *map, const char *key)
{
	int i = map != NULL && map->type == YAML_MAP ? yaml_find(map, key) : -1;

	return i >= 0 && map->item[i]->type == YAML_MAP ? map->item[i] : NULL;
}

static const struct yaml *
scalar_of(const struct yaml *map, const char *key)
{
	int i = map != NULL && map->type == YAML_MAP ? yaml_find(map, key) : -1;

	return i >= 0 && map->item[i]->type == YAML_SCALAR && !yaml_is_null(map->item[i]) ? map->item[i] : NULL;
}

/* What stands for "${NAME:4}" or "${a.b}": the default, or what stands there; NULL: known at run time alone. */
static char *
expansion(const struct reading *r, const char *inside, size_t n)
{
	const char *colon = memchr(inside, ':', n);
	const struct yaml *at = r->root;
	char *path, *rest, *key;

	if (colon != NULL)
		return xstrndup(colon + 1, (size_t)(inside + n - (colon + 1)));
	path = rest = xstrndup(inside, n);
	while ((key = strsep(&rest, ".")) != NULL && at != NULL)
		at = rest != NULL ? map_of(at, key) : scalar_of(at, key);
	free(path);
	return at != NULL && strstr(at->text, "${") == NULL ? xstrdup(at->text) : NULL;
}

/* The text of a value, with what it expands. */
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

/* "--num-layers" of num_layers, and of --num-layers. */
static char *
option_of(const char *key)
{
	char *option = xasprintf("%s%s", strncmp(key, "--", 2) == 0 ? "" : "--", key);

	for (char *c = option; *c != '\0'; c++)
		*c = *c == '_' ? '-' : *c;
	return option;
}

static void
put_option(struct reading *r, const char *key, const char *text, struct place at)
{
	char *option = option_of(key);

	add(r, option, at);
	if (text != NULL)
		add(r, strcasecmp(text, "true") == 0 ? "true" : strcasecmp(text, "false") == 0 ? "false" : text, at);
	free(option);
}

/* The argument that a key stands for; true: it is no argument by its own name. */
static bool
put_other(struct reading *r, const char *key, const char *text, struct place at)
{
	bool any = false;

	for (size_t i = 0; i < sizeof other_keys / sizeof other_keys[0]; i++) {
		if (strcmp(other_keys[i].key, key) != 0)
			continue;
		any = true;
		if (strcasecmp(other_keys[i].value, text) == 0)
			put_option(r, other_keys[i].argument, NULL, at);
	}
	/* Of NeMo a number of groups alone. */
	if (r->nemo && strcmp(key, "num_query_groups") == 0)
		put_option(r, "group_query_attention", NULL, at);
	return any;
}

static void
put_value(struct reading *r, const char *key, const struct yaml *v)
{
	bool chunks = strcmp(key, "virtual_pipeline_model_parallel_size") == 0;
	char *text;

	/* Megatron-LM computes it, and Primus passes it on to no one (arguments.py, validate_args). */
	if (chunks && !r->nemo)
		return;
	if (v->type == YAML_LIST) {
		put_option(r, key, NULL, v->place);
		for (int i = 0; i < v->n; i++)
			if (v->item[i]->type == YAML_SCALAR)
				add(r, v->item[i]->text, v->item[i]->place);
		return;
	}
	text = text_of(r, v);
	if (text != NULL && *text != '\0' && strcasecmp(text, "null") != 0 && strcasecmp(text, "none") != 0) {
		if (strcmp(key, "model_type") == 0 && strcmp(text, "gpt") != 0 && strcmp(text, "mamba") != 0)
			place_die(v->place, "model_type: layers of this type are not read from settings; give the "
			    "network's config.json before this file '%s'", text);
		if (!put_other(r, key, text, v->place))
			put_option(r, chunks ? "num_virtual_stages_per_pipeline_rank" : key, text, v->place);
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

/* The file of a model of Primus, in a checkout above the file at PATH; to be freed. NULL: there is none. */
static char *
model_path(const char *path, const char *name)
{
	char *directory = realpath(path, NULL), *slash;

	while (directory != NULL && (slash = strrchr(directory, '/')) != NULL) {
		char *file;

		*slash = '\0';
		file = xasprintf("%s/primus/configs/models/megatron/%s", directory, name);
		if (access(file, R_OK) == 0) {
			free(directory);
			return file;
		}
		free(file);
	}
	free(directory);
	return NULL;
}

/* A file of a model, those that it extends before it. */
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
	r->depth--;
	put_map(r, root, false);
	yaml_release(root);
}

/* Of overrides: the model that stands beside them, and what they change of it. */
static void
put_primus(struct reading *r, const struct yaml *root, const struct yaml *overrides, const char *path)
{
	const struct yaml *modules = map_of(root, "modules");

	for (int i = 0; i < modules->n; i++) {
		const struct yaml *name = scalar_of(modules->item[i], "model");
		const struct yaml *of = scalar_of(modules->item[i], "framework");
		char *file, *text;

		if (map_of(modules->item[i], "overrides") != overrides)
			continue;
		if (of != NULL && strcmp(of->text, "megatron") != 0)
			place_die(of->place, "framework: a file of Primus is read if it trains with megatron, not with "
			    "'%s'", of->text);
		if (name == NULL)
			continue;
		text = text_of(r, name);
		file = text != NULL ? model_path(path, text) : NULL;
		if (file != NULL)
			put_model(r, file);
		else if (scalar_of(overrides, "num_layers") == NULL)
			place_warn(name->place, "model: no primus/configs/models/megatron of a checkout above this "
			    "file has it; give the network's config.json before this file '%s'", name->text);
		free(file);
		free(text);
	}
	r->to->defaults = r->to->program.arguments.n;
	put_map(r, overrides, false);
}

static void
put_launcher(struct reading *r, const char *option, const struct yaml *v)
{
	char *text = v != NULL ? text_of(r, v) : NULL;

	if (text != NULL && text[strspn(text, "0123456789")] == '\0') {
		texts_add(&r->to->program.launcher, option);
		texts_add(&r->to->program.launcher, text);
	}
	free(text);
}

/* A map of arguments, "--num-layers: 12", as Megatron-LM's tests have them. */
static const struct yaml *
argument_map(const struct yaml *root)
{
	const struct yaml *arguments = map_of(root, "MODEL_ARGS");

	if (arguments == NULL && root->type == YAML_MAP && root->n > 0 && strncmp(root->key[0], "--", 2) == 0)
		arguments = root;
	return arguments != NULL && arguments->n > 0 && strncmp(arguments->key[0], "--", 2) == 0 ? arguments : NULL;
}

/* A model's map of NeMo, below the file itself or below "training". */
static const struct yaml *
nemo_map(const struct yaml *root)
{
	const struct yaml *model = map_of(root, "model");

	return scalar_of(model, "tensor_model_parallel_size") != NULL && map_of(root, "trainer") != NULL ? model :
	    NULL;
}

bool
yaml_started(struct started *s, const struct yaml *root, const char *path)
{
	struct launch_maps m = launch_maps_of(root);
	const struct yaml *arguments = argument_map(root), *nemo = nemo_map(root);
	const struct yaml *runner = map_of(map_of(root, "experiment"), "runner"), *trainer = map_of(root, "trainer");
	struct reading r = { .to = s, .root = root };

	*s = (struct started){ .place = { root->place.source, 0 }, .keys = true };
	s->program.source = xstrdup(root->place.source);
	s->program.program = xstrdup("");
	if (m.dialect == LAUNCH_PRIMUS) {
		put_primus(&r, root, m.system, path);
	} else if (m.dialect == LAUNCH_FLAGSCALE) {
		const struct yaml *outer = map_of(root, "system") == NULL ? map_of(root, "train") : root;

		put_map(&r, m.system, true);
		put_map(&r, m.model, true);
		put_map(&r, map_of(outer, "data"), true);
		put_launcher(&r, "--nnodes", scalar_of(runner, "nnodes"));
		put_launcher(&r, "--nproc_per_node", scalar_of(runner, "nproc_per_node"));
	} else if (arguments != NULL) {
		put_map(&r, arguments, false);
	} else if (nemo != NULL) {
		r.nemo = true;
		put_map(&r, nemo, false);
		put_launcher(&r, "--nnodes", scalar_of(trainer, "num_nodes"));
		put_launcher(&r, "--nproc_per_node", scalar_of(trainer, "devices"));
	} else if (scalar_of(root, "num_layers") != NULL && yaml_get(root, "extends") != NULL) {
		put_model(&r, path);
	} else {
		started_free(s);
		return false;
	}
	return true;
}
