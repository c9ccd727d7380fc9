/* The arguments in YAML files, by their names in the program: num_layers. */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/alloc.h"
#include "lib/base/memstream.h"
#include "lib/yaml/yaml.h"
#include "launch_yaml.h"
#include "option_table.h"

bool
launch_in_model(enum launch_option o)
{
	return o == LAUNCH_LAYERS || o == LAUNCH_MTP || o == LAUNCH_GLOBAL_BATCH || o == LAUNCH_MICRO_BATCH ||
	    o == LAUNCH_SEQ_LENGTH;
}

char *
launch_yaml_key(enum launch_option o)
{
	char *key = xstrdup(launch_rows[o].flag + 2);

	for (char *c = key; *c != '\0'; c++)
		*c = *c == '-' ? '_' : *c;
	return key;
}

enum launch_option
launch_yaml_named(const char *key)
{
	char *flag = xasprintf("--%s", key);
	enum launch_option o;

	for (char *c = flag + 2; *c != '\0'; c++)
		*c = *c == '_' ? '-' : *c;
	o = launch_named(flag);
	free(flag);
	return o;
}

/* Return the text of a value; of "${NAME:4}" the default after the colon. */
static char *
text_of(const struct yaml *v, const char *key)
{
	const char *colon;
	size_t n = strlen(v->text);

	if (strncmp(v->text, "${", 2) != 0)
		return xstrdup(v->text);
	colon = strchr(v->text, ':');
	if (colon == NULL || v->text[n - 1] != '}')
		place_die(v->place, "%s: only known when it runs '%s'", key, v->text);
	return xasprintf("%.*s", (int)(v->text + n - 1 - (colon + 1)), colon + 1);
}

/* Write nested lists in brackets, other lists as words separated by DIVIDER. */
static void
put(FILE *f, const struct yaml *v, const char *key, char divider, int depth)
{
	char *text;

	if (v->type == YAML_MAP)
		place_die(v->place, "%s: neither a value nor a list", key);
	if (v->type == YAML_SCALAR) {
		text = text_of(v, key);
		fputs(text, f);
		free(text);
		return;
	}
	fputs(depth > 0 ? "[" : "", f);
	for (int i = 0; i < v->n; i++) {
		if (i > 0)
			putc(depth > 0 ? ',' : divider, f);
		put(f, v->item[i], key, divider, depth + 1);
	}
	fputs(depth > 0 ? "]" : "", f);
}

/* Write lists of numbers, each a list or the text of one, with or without brackets. */
static void
put_lists(FILE *f, const struct yaml *v, const char *key)
{
	for (int i = 0; v->type == YAML_LIST && i < v->n; i++) {
		bool bare = v->item[i]->type == YAML_SCALAR && *v->item[i]->text != '[';

		fputs(i > 0 ? " " : "", f);
		fputs(bare ? "[" : "", f);
		put(f, v->item[i], key, ',', 1);
		fputs(bare ? "]" : "", f);
	}
	if (v->type != YAML_LIST)
		place_die(v->place, "%s: not a list of lists", key);
}

static bool
nested(const struct yaml *v)
{
	return v->type == YAML_LIST && v->n > 0 && v->item[0]->type == YAML_LIST;
}

/* NULL: absent or switched off. */
static char *
value_of(enum launch_option o, const struct yaml *v, const char *key)
{
	char *text = NULL;
	size_t size;
	FILE *f;

	if (launch_rows[o].takes == NO_WORD) {
		struct yaml word = *v;
		bool on;

		if (v->type == YAML_SCALAR)
			word.text = text_of(v, key);
		/* Python accepts numbers also. */
		on = v->type == YAML_SCALAR && strcmp(word.text, "1") == 0;
		if (!on && (v->type != YAML_SCALAR || strcmp(word.text, "0") != 0))
			on = v->type == YAML_SCALAR && word.text[1] == '\0' && strchr("01", word.text[0]) != NULL ?
		    word.text[0] == '1' : yaml_bool(&word, key);
		free(word.text);
		return on ? xstrdup("") : NULL;
	}
	f = memstream_open(&text, &size);
	/* A list of lists is one word. */
	fputs(nested(v) && launch_rows[o].takes != LISTS ? "[" : "", f);
	if (launch_rows[o].takes == LISTS)
		put_lists(f, v, key);
	else
		put(f, v, key, launch_rows[o].takes == ONE_WORD ? ',' : ' ', 0);
	fputs(nested(v) && launch_rows[o].takes != LISTS ? "]" : "", f);
	memstream_close(f);
	if (strcasecmp(text, "null") != 0 && strcasecmp(text, "none") != 0 && *text != '\0')
		return text;
	free(text);
	return NULL;
}

static void
take(struct launch *l, const struct yaml *map, bool deep)
{
	for (int i = 0; i < map->n; i++) {
		const struct yaml *v = map->item[i];
		enum launch_option o = launch_yaml_named(map->key[i]);
		char *value;

		if (v->type == YAML_MAP && deep)
			take(l, v, true);
		if (o == LAUNCH_OPTIONS || v->type == YAML_MAP || yaml_is_null(v))
			continue;
		if (strcmp(map->key[i], "virtual_pipeline_model_parallel_size") == 0) {
			place_warn(v->place, "%s: left out: Megatron-LM takes num_virtual_stages_per_pipeline_rank or "
			    "num_layers_per_virtual_pipeline_stage", map->key[i]);
			continue;
		}
		value = value_of(o, v, map->key[i]);
		if (value != NULL && l->value[o] != NULL && strcmp(l->value[o], value) != 0)
			place_die(v->place, "%s: said otherwise on line %ld '%s'", map->key[i], l->place[o].line,
			    l->value[o]);
		if (value == NULL)
			continue;
		launch_set(l, o, value);
		l->place[o] = v->place;
	}
}

static const struct yaml *
map_of(const struct yaml *map, const char *key)
{
	int i = map != NULL && map->type == YAML_MAP ? yaml_find(map, key) : -1;

	return i >= 0 && map->item[i]->type == YAML_MAP ? map->item[i] : NULL;
}

/* Return the overrides of the only Megatron-LM module. */
static const struct yaml *
overrides(const struct yaml *root)
{
	const struct yaml *modules = map_of(root, "modules"), *found = NULL;

	for (int i = 0; modules != NULL && i < modules->n; i++) {
		const struct yaml *own = map_of(modules->item[i], "overrides");

		if (own != NULL && found != NULL)
			place_die(own->place, "a second module with overrides '%s'", modules->key[i]);
		found = own != NULL ? own : found;
	}
	return found;
}

struct launch_maps
launch_maps_of(const struct yaml *root)
{
	struct launch_maps m = { .dialect = LAUNCH_DIALECTS };
	const struct yaml *train = map_of(root, "train");

	if ((m.system = overrides(root)) != NULL) {
		m.dialect = LAUNCH_PRIMUS;
		m.model = m.system;
		return m;
	}
	if (map_of(root, "system") == NULL && map_of(train, "system") != NULL)
		root = train;
	if ((m.system = map_of(root, "system")) != NULL) {
		m.dialect = LAUNCH_FLAGSCALE;
		m.model = map_of(root, "model");
	}
	return m;
}

/* Add defaults of Primus (primus/configs/modules/megatron/pre_trainer.yaml, models/megatron/language_model.yaml). */
static void
usual_of_primus(struct launch *l, const struct yaml *map)
{
	static const enum launch_option on[] = { LAUNCH_SEQUENCE, LAUNCH_OPTIMIZER };

	for (size_t i = 0; i < sizeof on / sizeof on[0]; i++) {
		bool said = false;

		for (int k = 0; k < map->n; k++)
			said |= launch_yaml_named(map->key[k]) == on[i];
		if (!said)
			launch_set(l, on[i], xstrdup(""));
	}
}

enum launch_dialect
launch_read_yaml(struct launch *l, const struct yaml *root)
{
	struct launch_maps m = launch_maps_of(root);

	*l = (struct launch){ .source = xstrdup(root->place.source) };
	if (m.system != NULL)
		take(l, m.system, m.dialect == LAUNCH_FLAGSCALE);
	if (m.model != NULL && m.model != m.system)
		take(l, m.model, true);
	if (m.dialect == LAUNCH_PRIMUS)
		usual_of_primus(l, m.system);
	return m.dialect;
}

char *
launch_yaml_text(enum launch_option o, const char *value)
{
	char *text = NULL;
	size_t size;
	FILE *f = memstream_open(&text, &size);

	if (launch_rows[o].takes == NO_WORD)
		fputs(strcmp(value, "false") == 0 ? value : "true", f);
	else if (o == LAUNCH_LAYOUT || o == LAUNCH_HYBRID)
		fprintf(f, "\"%s\"", value);
	else if (launch_rows[o].takes == ONE_WORD && o != LAUNCH_SPLIT_LIST && o != LAUNCH_LAYER_IDS)
		fputs(value, f);
	else {
		putc('[', f);
		for (const char *c = value; *c != '\0'; c++) {
			putc(*c == ' ' ? ',' : *c, f);
			if (*c == ' ' || *c == ',')
				putc(' ', f);
		}
		putc(']', f);
	}
	memstream_close(f);
	return text;
}

/* Write the options of the model's map, or the rest. */
static void
put_map(const struct launch *l, bool of_model, bool all, int column, FILE *f)
{
	for (int o = 0; o < LAUNCH_OPTIONS; o++) {
		char *key, *text;

		if (l->value[o] == NULL || (!all && launch_in_model((enum launch_option)o) != of_model))
			continue;
		key = launch_yaml_key((enum launch_option)o);
		text = launch_yaml_text((enum launch_option)o, l->value[o]);
		fprintf(f, "%*s%s: %s\n", column, "", key, text);
		free(key);
		free(text);
	}
}

void
launch_print_yaml(const struct launch *l, enum launch_dialect dialect, FILE *f)
{
	if (dialect == LAUNCH_PRIMUS) {
		fputs("modules:\n  pre_trainer:\n    framework: megatron\n    overrides:\n", f);
		put_map(l, false, true, 6, f);
		return;
	}
	fputs("system:\n", f);
	put_map(l, false, false, 2, f);
	fputs("model:\n", f);
	put_map(l, true, false, 2, f);
}
