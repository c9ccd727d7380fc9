#include "job.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/alloc.h"
#include "lib/base/memstream.h"
#include "lib/base/spelling.h"
#include "lib/field/xjson.h"
#include "lib/yaml/yaml.h"
#include "tuner.h"

enum value { TEXT, TEXTS, COUNT, MEMORY, REAL, FIGURE, PART, PARTS, COUNTS, TARGET, LIMITS, HARDWARE, LIST, WORDS, SETS,
	FLAG };

struct key {
	const char *name;
	enum value value;
	bool needed;
	/*
	 * WORDS, TARGET: the allowed words, separated by '|'; SETS: these words joined by '+'; LIST: words allowed in
	 * addition to numbers.
	 */
	const char *words;
	/* FIGURE: its unit, and a value that is below that of every known device. */
	const char *unit;
	double low;
};

/* Settings other than degrees, at the top of a job or among its limits. */
#define SETTINGS \
	{ .name = "dispatcher", .value = WORDS, .words = "alltoall|flex" }, \
	{ .name = "ep_overlap", .value = WORDS, .words = "no|yes" }, \
	{ .name = "graph", .value = WORDS, .words = "none|part|full" }, \
	{ .name = "modules", .value = SETS, .words = "none|core_attn|mla_up_proj|layernorm|mlp|moe_act|moe" }, \
	{ .name = "recompute", .value = WORDS, .words = "none|select|full" }, \
	{ .name = "compute", .value = WORDS, .words = "bf16|fp8|fp8_block|mxfp8|fp4" }, \
	{ .name = "optimizer", .value = WORDS, .words = "adam|adam16|sgd" }, \
	{ .name = "optimizer_host", .value = PARTS }, \
	{ .name = "schedule", .value = WORDS, .words = "1f1b|interleaved" }

static const struct key job_keys[] = {
	{ .name = "model", .value = TEXT, .needed = true },
	{ .name = "devices", .value = COUNT, .needed = true },
	{ .name = "cluster", .value = TEXT, .needed = true },
	{ .name = "global_batch", .value = COUNT, .needed = true },
	{ .name = "seq_length", .value = COUNT },
	{ .name = "packed", .value = COUNTS },
	{ .name = "vocab", .value = COUNT },
	{ .name = "memory", .value = MEMORY },
	{ .name = "hardware", .value = HARDWARE },
	{ .name = "target", .value = TARGET, .words = "megatron|mindformers|mindspeed|primus|flagscale" },
	{ .name = "training", .value = TEXT },
	{ .name = "measured", .value = TEXTS },
	{ .name = "runs", .value = TEXT },
	{ .name = "coefficients", .value = TEXT },
	{ .name = "operators", .value = TEXT },
	{ .name = "known", .value = TEXT },
	{ .name = "peaks", .value = TEXT },
	{ .name = "dryruns", .value = TEXT },
	{ .name = "candidates", .value = TEXT },
	{ .name = "profile", .value = TEXT },
	{ .name = "imbalance", .value = REAL },
	{ .name = "margin", .value = PART },
	{ .name = "lora", .value = TEXT },
	{ .name = "lora_modules", .value = TEXT },
	{ .name = "freeze", .value = TEXT },
	{ .name = "limits", .value = LIMITS },
	SETTINGS,
	{ 0 }
};

/* Options of sapp-enum, with '_' instead of '-'. */
static const struct key limit_keys[] = {
	{ .name = "dp", .value = LIST }, { .name = "tp", .value = LIST }, { .name = "cp", .value = LIST },
	{ .name = "pp", .value = LIST }, { .name = "ep", .value = LIST },
	{ .name = "etp", .value = LIST, .words = "tp" }, { .name = "zero", .value = LIST },
	{ .name = "shard", .value = LIST, .words = "all" }, { .name = "vp", .value = LIST },
	{ .name = "mbs", .value = LIST }, { .name = "mb", .value = LIST },
	{ .name = "cp_kind", .value = WORDS, .words = "ring|ulysses" },
	{ .name = "fused", .value = WORDS, .words = "none|mc2|permute|mc2+permute" },
	{ .name = "even", .value = FLAG }, { .name = "empty", .value = FLAG },
	SETTINGS,
	{ 0 }
};

/* Members of the cluster record that a job may override. */
static const struct key hardware_keys[] = {
	{ .name = "devices_per_node", .value = COUNT }, { .name = "reserve", .value = MEMORY },
	{ .name = "peak", .value = FIGURE, .unit = "TFLOP/s", .low = 1 },
	{ .name = "memory_bandwidth", .value = FIGURE, .unit = "GB/s", .low = 100 },
	{ .name = "intra_bandwidth", .value = FIGURE }, { .name = "inter_bandwidth", .value = FIGURE },
	{ .name = "host_link", .value = FIGURE },
	{ 0 }
};

enum { COUNT_MOST = 999999999, NAMES_MOST = 48 };

static json_t *map_of(const struct yaml *, const struct key[], const char *within);

/* Return the key NAME. If it is unknown, exit with a list of the known keys. */
static const struct key *
key_of(const struct key keys[], const char *name, const char *within, struct place at)
{
	const char *names[NAMES_MOST] = { 0 };

	for (int i = 0; keys[i].name != NULL; i++) {
		if (strcmp(keys[i].name, name) == 0)
			return &keys[i];
		names[i] = keys[i].name;
	}
	place_die(at, "%sunknown key '%s'%s; known:%s", within, name, spelling_hint(name, names),
	    spelling_known("", names));
}

/* Return a text, which must be one line, because elsewhere each line is a file name. */
static const char *
text_of(const struct yaml *node, const char *key)
{
	const char *text;

	if (node->type != YAML_SCALAR)
		place_die(node->place, "%s: expected text, not a %s", key, node->type == YAML_LIST ? "list" : "map");
	if (yaml_is_null(node) || *node->text == '\0')
		place_die(node->place, "%s: empty", key);
	text = yaml_string(node, key);
	for (const char *c = text; *c != '\0'; c++)
		if (iscntrl((unsigned char)*c))
			place_die(node->place, "%s: control characters in it '%s'", key, text);
	return text;
}

static int
count_of(const struct yaml *node, const char *key)
{
	const char *text = text_of(node, key);

	if (node->quoted || text[strspn(text, "0123456789")] != '\0' || *text == '0')
		place_die(node->place, "%s: not a positive whole number '%s'", key, text);
	return yaml_int(node, key, 1, COUNT_MOST);
}

/* Return MB from a number of MB, or from a number with a unit, "54GB". */
static json_t *
memory_of(const struct yaml *node, const char *key)
{
	static const struct { const char *name; double mb; } units[] = { { "MB", 1 }, { "MiB", 1 }, { "GB", 1024 },
		{ "GiB", 1024 } };
	const char *text = text_of(node, key);
	char *unit;
	double x = strtod(text, &unit);

	unit += strspn(unit, " ");
	for (size_t i = 0; unit != text && i < sizeof units / sizeof units[0]; i++)
		if (strcmp(unit, units[i].name) == 0 && x * units[i].mb <= 1e9 &&
		    (x > 0 || strcmp(key, "reserve") == 0))
			return json_real(x * units[i].mb);
	if (*unit != '\0' && isdigit((unsigned char)*text))
		place_die(node->place, "%s: not a number of MB, MiB, GB or GiB '%s'", key, text);
	if (strcmp(key, "reserve") == 0)
		return json_real(yaml_real(node, key, 0, 1e9));
	return json_integer(count_of(node, key));
}

/* Return whether a text has the form "4" or "4-16". */
static bool
is_range(const char *text)
{
	const char *behind = text + strspn(text, "0123456789"), *last = behind + 1;

	if (behind == text || *behind == '\0')
		return behind != text;
	return *behind == '-' && *last != '\0' && last[strspn(last, "0123456789")] == '\0';
}

static bool
is_word(const char *text, const char *words)
{
	size_t length = strlen(text);

	for (const char *w = words; w != NULL; w = strchr(w, '|'), w = w != NULL ? w + 1 : NULL)
		if (length > 0 && strncmp(w, text, length) == 0 && (w[length] == '\0' || w[length] == '|'))
			return true;
	return false;
}

/* Return whether all words of TEXT, joined by '+', are known and occur once. */
static bool
is_set(const char *text, const char *words)
{
	char *copy = xstrdup(text), *rest = copy, *part;
	bool known = true;

	while ((part = strsep(&rest, "+")) != NULL)
		known &= is_word(part, words);
	free(copy);
	return known;
}

/* Append a part of a list to ALL and return the result. Takes ownership of ALL. */
static char *
joined(char *all, const struct yaml *node, const struct key *k, const char *within)
{
	char *copy = xstrdup(text_of(node, k->name)), *rest = copy, *part;

	while ((part = strsep(&rest, ",")) != NULL) {
		char *before = all;

		part += strspn(part, " ");
		part[strcspn(part, " ")] = '\0';
		if (!(k->value == SETS ? is_set(part, k->words) : is_word(part, k->words)) &&
		    (k->value != LIST || !is_range(part)))
			place_die(node->place, "%s%s: not %s%s%s '%s'", within, k->name,
			    k->value == LIST ? "a number or a range such as 4-16" : "",
			    k->value == LIST && k->words != NULL ? " or " : "", k->words != NULL ? k->words : "",
			    node->text);
		all = xasprintf("%s%s%s", before, *before != '\0' ? "," : "", part);
		free(before);
	}
	free(copy);
	return all;
}

/* Return the number of items of a list, or 1 for another value. Exit if the list is empty. */
static int
items(const struct yaml *node, const char *within, const char *key)
{
	if (node->type == YAML_LIST && node->n == 0)
		place_die(node->place, "%s%s: empty", within, key);
	return node->type == YAML_LIST ? node->n : 1;
}

static const struct yaml *
item(const struct yaml *node, int i)
{
	return node->type == YAML_LIST ? node->item[i] : node;
}

static json_t *
list_of(const struct yaml *node, const struct key *k, const char *within)
{
	char *all = xstrdup("");
	json_t *text;

	for (int i = 0, n = items(node, within, k->name); i < n; i++)
		all = joined(all, item(node, i), k, within);
	text = json_string(all);
	free(all);
	return text;
}

/* Return a list of fractions as a text: "0,0.5". */
static json_t *
parts_of(const struct yaml *node, const char *key)
{
	int n = items(node, "", key);
	size_t size;
	char *all;
	FILE *f = memstream_open(&all, &size);
	json_t *text;

	for (int i = 0; i < n; i++) {
		text_of(item(node, i), key);
		fprintf(f, "%s%.15g", i > 0 ? "," : "", yaml_real(item(node, i), key, 0, 1));
	}
	memstream_close(f);
	text = json_string(all);
	free(all);
	return text;
}

static json_t *
counts_of(const struct yaml *node, const char *key)
{
	json_t *all = json_array();

	if (node->type != YAML_LIST || node->n == 0)
		place_die(node->place, "%s: expected a list of numbers of tokens", key);
	for (int i = 0; i < node->n; i++)
		xjson_append(all, json_integer(count_of(node->item[i], key)));
	return all;
}

static json_t *
texts_of(const struct yaml *node, const char *key)
{
	json_t *all = json_array();

	for (int i = 0, n = items(node, "", key); i < n; i++)
		xjson_append(all, json_string(text_of(item(node, i), key)));
	return all;
}

/* Return the value of a key; NULL: it counts as absent. */
static json_t *
value_of(const struct yaml *node, const struct key *k, const char *within)
{
	switch (k->value) {
	case COUNT:
		return json_integer(count_of(node, k->name));
	case MEMORY:
		return memory_of(node, k->name);
	case REAL:
		text_of(node, k->name);
		return json_real(yaml_real(node, k->name, 1, 1e6));
	case FIGURE:
		text_of(node, k->name);
		if (k->unit != NULL && yaml_real(node, k->name, 1e-6, 1e9) < k->low)
			place_warn(node->place, "%s%s: in %s; below that of all listed devices '%s'", within,
			    k->name, k->unit, node->text);
		return json_real(yaml_real(node, k->name, 1e-6, 1e9));
	case TARGET:
		if (!is_word(text_of(node, k->name), k->words))
			place_die(node->place, "%s: not one of %s '%s'", k->name, k->words, node->text);
		break;
	case TEXTS:
		return texts_of(node, k->name);
	case PARTS:
		return parts_of(node, k->name);
	case COUNTS:
		return counts_of(node, k->name);
	case PART:
		text_of(node, k->name);
		return json_real(yaml_real(node, k->name, 0, 0.5));
	case LIST:
	case WORDS:
	case SETS:
		return list_of(node, k, within);
	case FLAG:
		if (!yaml_is_bool(node))
			place_die(node->place, "limits: %s: not true or false '%s'", k->name,
			    text_of(node, k->name));
		return yaml_bool(node, k->name) ? json_true() : NULL;
	case LIMITS:
	case HARDWARE:
		if (node->type != YAML_MAP && !yaml_is_null(node))
			place_die(node->place, "%s: not a map '%s'", k->name,
			    node->type == YAML_LIST ? "[...]" : node->text);
		if (node->type != YAML_MAP)
			return NULL;
		return k->value == LIMITS ? map_of(node, limit_keys, "limits: ") :
		    map_of(node, hardware_keys, "hardware: ");
	case TEXT:
		break;
	}
	return json_string(text_of(node, k->name));
}

/* Exit if keys are missing, with all of them and the optional keys. */
static void
require(const json_t *all, const struct key keys[], const char *source)
{
	char *missing, *others;
	size_t n[2], count = 0;
	FILE *f[2] = { memstream_open(&missing, &n[0]), memstream_open(&others, &n[1]) };

	for (const struct key *k = keys; k->name != NULL; k++)
		if (!k->needed)
			fprintf(f[1], " %s", k->name);
		else if (json_object_get(all, k->name) == NULL)
			fprintf(f[0], "%s'%s'", count++ > 0 ? ", " : "", k->name);
	memstream_close(f[0]);
	memstream_close(f[1]);
	if (count > 0)
		place_die((struct place){ .source = source }, "missing key%s %s (optional keys:%s)",
		    count > 1 ? "s" : "", missing, others);
	free(missing);
	free(others);
}

static json_t *
map_of(const struct yaml *map, const struct key keys[], const char *within)
{
	json_t *all = json_object();

	for (int i = 0; i < map->n; i++) {
		const struct key *k = key_of(keys, map->key[i], within, map->key_place[i]);
		json_t *value = value_of(map->item[i], k, within);

		if (value != NULL)
			xjson_set(all, k->name, value);
	}
	require(all, keys, map->place.source);
	return all;
}

/* Exit if the file is of a kind that is sometimes given instead of a job. A key shows its kind. */
static void
refuse_others(const struct yaml *root)
{
	static const struct { const char *key, *what, *as; } others[] = {
		{ "model_type", "a network", "model" }, { "architectures", "a network", "model" },
		{ "hidden_size", "a network", "model" }, { "parallel_config", "a training file", "training" },
	};

	for (int i = 0; i < root->n; i++)
		for (size_t k = 0; k < sizeof others / sizeof *others; k++)
			if (strcmp(root->key[i], others[k].key) == 0)
				place_die(root->place, "%s, not a job; write a job with '%s: %s' and the keys model, "
				    "devices, cluster and global_batch", others[k].what, others[k].as,
				    root->place.source);
}

void
job_print(const char *path, FILE *out)
{
	struct yaml *root = yaml_read(path);
	json_t *job;

	if (root == NULL || root->type != YAML_MAP)
		place_die((struct place){ .source = path, .line = 1 }, "not a map of keys and values");
	refuse_others(root);
	job = tuner_job(root, path);
	if (job == NULL)
		job = map_of(root, job_keys, "");
	xjson_write(out, job, JSON_COMPACT);
	fputc('\n', out);
	json_decref(job);
	yaml_release(root);
}
