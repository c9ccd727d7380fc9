/* Reads the command that equals a YAML with arguments as keys. */
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#include "lib/base/alloc.h"
#include "lib/base/memstream.h"
#include "launch_form.h"
#include "option_table.h"

enum { EXTENDS_MOST = 16 };

/* Keys that equal an argument of another name if their value is VALUE. */
static const struct other_key {
	const char *key, *value, *argument;
} other_keys[] = {
	{ "add_bias_linear", "false", "disable_bias_linear" }, { "bias", "false", "disable_bias_linear" },
	{ "share_embeddings_and_output_weights", "false", "untie_embeddings_and_output_weights" },
	{ "activation", "swiglu", "swiglu" }, { "activation", "fast-swiglu", "swiglu" },
	{ "activation", "geglu", "geglu" }, { "activation", "fast-geglu", "geglu" },
	{ "activation", "reglu", "gated_linear_unit" }, { "activation", "fast-reglu", "gated_linear_unit" },
	{ "normalization", "rmsnorm", "use_rmsnorm" }, { "normalization", "RMSNorm", "use_rmsnorm" },
};

struct reading {
	struct started *to;
	const struct yaml *root;
	const struct form *form;
	const struct texts *environment;	/* "NAME=value"; NULL: unknown */
	int room, depth;
};

static void
add(struct reading *r, const char *word, struct place place)
{
	*APPEND(r->to->line, r->room) = place.line;
	texts_add(&r->to->program.arguments, word);
}

/*
 * Return the variable or the default in "${NAME:4}", or for "${a.b}" the value at that path. Return NULL if the value
 * is known only when the run starts.
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
	there = form_scalar(r->root, path);
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

/* Append an option to the command. TEXT: its value; NULL: it has none. */
static void
put_option(struct reading *r, const char *key, const char *text, struct place place)
{
	char *option = form_option(key);

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

/* Return whether NeMo ignores the key: it recomputes nothing if the granularity is null, whatever the method is. */
static bool
without_effect(const struct reading *r, const char *key)
{
	const struct yaml *granularity = form_at(r->root, r->form->maps[0]);

	granularity = yaml_get(granularity, "activations_checkpoint_granularity");
	return granularity != NULL && yaml_is_null(granularity) && (strcmp(key, "activations_checkpoint_method") == 0 ||
	    strcmp(key, "activations_checkpoint_num_layers") == 0);
}

/* Read whether the states are divided from the name of NeMo's optimizer, or from a key of Megatron-Bridge. */
static void
put_optimizer(struct reading *r)
{
	static const char *const paths[] = { "model.optim.name", "ddp.use_distributed_optimizer",
		"optimizer.use_distributed_optimizer" };

	for (size_t i = 0; i < sizeof paths / sizeof paths[0]; i++) {
		const struct yaml *v = form_scalar(r->root, paths[i]);

		if (v != NULL && (strstr(v->text, "distributed") != NULL || strcasecmp(v->text, "true") == 0)) {
			put_option(r, "use_distributed_optimizer", NULL, v->place);
			return;
		}
	}
}

static void
put_value(struct reading *r, const char *key, const struct yaml *v)
{
	bool chunks = strcmp(key, form_computed) == 0;
	enum launch_option o = form_option_named(key);
	char *text;

	if (r->form != NULL && r->form->nemo && without_effect(r, key))
		return;
	if (chunks && (r->form == NULL || !r->form->nemo)) {
		place_warn(v->place, "%s: ignored: Megatron-LM reads num_virtual_stages_per_pipeline_rank or "
		    "num_layers_per_virtual_pipeline_stage instead", key);
		return;
	}
	if (v->type == YAML_LIST) {
		put_words(r, key, v, o);
		return;
	}
	text = text_of(r, v);
	if (text == NULL && o != LAUNCH_OPTIONS)
		place_die(v->place, "%s: its value is only known at run time '%s'", key, v->text);
	if (text != NULL && *text != '\0' && strcasecmp(text, "null") != 0 && strcasecmp(text, "none") != 0) {
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

/* Append the arguments in the file of a model. The files that it extends come first. */
static void
put_model(struct reading *r, const char *path)
{
	struct yaml *root = yaml_read(path);
	const struct yaml *extends = root->type == YAML_MAP ? yaml_get(root, "extends") : NULL;
	const char *slash = strrchr(path, '/');

	if (++r->depth > EXTENDS_MOST)
		place_die(root->place, "extends: a chain of more than %d files", EXTENDS_MOST);
	for (int i = 0; extends != NULL && extends->type == YAML_LIST && i < extends->n; i++) {
		const char *name = yaml_string(extends->item[i], "extends");
		char *base = xasprintf("%.*s%s", slash != NULL ? (int)(slash + 1 - path) : 0, path, name);

		if (access(base, R_OK) == 0)
			put_model(r, base);
		else
			place_warn(extends->item[i]->place, "extends: no such file: '%s'", base);
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
	const struct yaml *modules = form_map(r->root, "modules"), *name = NULL, *of = NULL;
	char *text, *file, *preset;

	for (int i = 0; i < modules->n; i++)
		if (form_map(modules->item[i], "overrides") != NULL) {
			name = form_scalar(modules->item[i], "model");
			of = form_scalar(modules->item[i], "framework");
		}
	if (of != NULL && strcmp(of->text, "megatron") != 0)
		place_die(of->place, "framework: files of %s are only read for megatron; give sapp-model the network's "
		    "config.json, and sapp-search its degrees '%s'",
		    target_titles[f->target], of->text);
	for (size_t i = 0; i < sizeof f->on / sizeof f->on[0]; i++)
		put_option(r, f->on[i], NULL, r->root->place);
	text = name != NULL ? text_of(r, name) : NULL;
	preset = xasprintf("%s/%s", f->presets, text != NULL ? text : "");
	file = text != NULL ? launch_yaml_above(path, preset) : NULL;
	free(preset);
	if (file != NULL)
		put_model(r, file);
	else if (name != NULL && form_scalar(r->root, "modules.*.overrides.num_layers") == NULL)
		place_warn(name->place, "model: not found in %s of a checkout above this file; give the network's "
		    "config.json before this file '%s'", f->presets, name->text);
	free(file);
	free(text);
	r->to->defaults = r->to->program.arguments.n;
}

static void
put_launcher(struct reading *r, const char *option, const char *path)
{
	const struct yaml *v = form_scalar(r->root, path);
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
	bool model = r.form == NULL && form_scalar(root, "num_layers") != NULL && form_at(root, "extends") != NULL;

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
		put_map(&r, form_map(root, r.form->maps[i]), r.form->deep);
	if (r.form->nemo)
		put_optimizer(&r);
	put_launcher(&r, "--nnodes", r.form->nodes);
	put_launcher(&r, "--nproc_per_node", r.form->devices);
	return true;
}
