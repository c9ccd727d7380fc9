#include "tuner.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "lib/base/alloc.h"
#include "lib/base/spelling.h"
#include "lib/draft/draft.h"
#include "lib/field/xjson.h"

enum { NUMBER_MOST = 999999999, GIB = 1024 };

/* How to treat a key. */
enum into { LIMIT, NUMBER, REAL, TYPE, SKIP, LOST, REFUSED };

struct entry {
	const char *section, *key;	/* section "": the key is at the top of the file */
	enum into into;
	const char *to;			/* LIMIT: name of the limit; LOST, REFUSED: advice */
	const char *plain;		/* LOST: a value that makes no difference */
};

static const char planned[] = "the planner decides the stages of layers and their recomputation";
static const char option[] = "use an option of sapp-search instead";

#define KEY(s, k, i) { .section = s, .key = k, .into = i }
#define SAYS(s, k, i, t) { .section = s, .key = k, .into = i, .to = t }
#define UNLESS(s, k, i, t, p) { .section = s, .key = k, .into = i, .to = t, .plain = p }

static const struct entry sapp_nd[] = {
	SAYS("", "train_yaml", REFUSED, "write the network under 'model' and fixed degrees under 'parallelism'"),
	SAYS("", "recompute", LOST, planned),
	KEY("cluster", "num_nodes", NUMBER), KEY("cluster", "cards_per_node", NUMBER),
	KEY("cluster", "device_type", TYPE),
	KEY("cluster", "device_memory_gb", REAL), KEY("cluster", "intra_node_bandwidth_gbps", REAL),
	KEY("cluster", "inter_node_bandwidth_gbps", REAL),
	KEY("parallelism", "dp", NUMBER), KEY("parallelism", "fsdp", NUMBER),
	SAYS("parallelism", "tp", LIMIT, "tp"), SAYS("parallelism", "pp", LIMIT, "pp"),
	SAYS("parallelism", "cp", LIMIT, "cp"),
	SAYS("parallelism", "ep", LIMIT, "ep"), SAYS("parallelism", "etp", LIMIT, "etp"),
	SAYS("parallelism", "micro_batch_num", LIMIT, "mb"),
	KEY("constraint", "global_batch_size", NUMBER), KEY("constraint", "memory_limit_gb", REAL),
	SAYS("pp_config", "pp_degree", LIMIT, "pp"), SAYS("pp_config", "micro_batch_num", LIMIT, "mb"),
	SAYS("pp_config", "pp_interleave_num", LIMIT, "vp"),
	SAYS("pp_config", "stage_partition_mode", LOST, planned),
	UNLESS("pp_config", "stage_partition", LOST, planned, "[]"),
	SAYS("pp_config", "layer_offset_range", LOST, planned),
	UNLESS("pp_config", "layer_recompute_layers", LOST, planned, "[]"),
	UNLESS("pp_config", "pipeline_schedule", LOST, "the order is 1F1B, interleaved with several chunks", "1F1B"),
	{ 0 }
};

static const struct entry dense_tuner[] = {
	KEY("hardware", "num_devices", NUMBER), KEY("hardware", "device_type", TYPE),
	KEY("hardware", "memory_per_device_mb", REAL), KEY("hardware", "intra_node_bandwidth_gb", REAL),
	KEY("hardware", "inter_node_bandwidth_gb", REAL), KEY("hardware", "devices_per_node", NUMBER),
	KEY("hardware", "tflops_per_device", REAL),
	SAYS("search_space", "dp_range", LIMIT, "dp"), SAYS("search_space", "tp_range", LIMIT, "tp"),
	SAYS("search_space", "pp_range", LIMIT, "pp"), SAYS("search_space", "cp_range", LIMIT, "cp"),
	SAYS("search_space", "micro_batch_num_range", LIMIT, "mb"),
	KEY("search_space", "enable_cp", SKIP), KEY("search_space", "enable_pp", SKIP),
	UNLESS("search_space", "enable_fsdp", LOST, "sharding of parameters is not supported", "false"),
	KEY("constraints", "memory_limit_mb", REAL), KEY("constraints", "global_batch_size", NUMBER),
	KEY("constraints", "min_dp_degree", NUMBER),
	UNLESS("constraints", "max_step_time_ms", LOST, "the ranking shows the step time of each configuration", "0"),
	SAYS("", "profiling_json_path", REFUSED, "plan its layers with sapp-lp"),
	SAYS("", "top_k", LOST, option), SAYS("", "ppb_top_k", LOST, option), SAYS("", "output_dir", LOST, option),
	UNLESS("", "sort_by", LOST, "the ranking is by step time", "step_time"), KEY("", "verbose", SKIP),
	{ 0 }
};

struct tuner {
	const struct yaml *root;
	bool dense;
	json_t *limits, *hardware;
};

static const struct yaml *
value(const struct tuner *t, const char *section, const char *key)
{
	const struct yaml *map = *section != '\0' ? yaml_get(t->root, section) : t->root, *node;

	node = map != NULL && !yaml_is_null(map) ? yaml_get(map, key) : NULL;
	return node == NULL || yaml_is_null(node) ? NULL : node;
}

/* Return the number of a key; 0: it is absent or unset. */
static double
real(const struct tuner *t, const char *section, const char *key)
{
	const struct yaml *node = value(t, section, key);

	return node == NULL ? 0 : yaml_real(node, key, 0, 1e9);
}

static int
whole(const struct tuner *t, const char *section, const char *key)
{
	const struct yaml *node = value(t, section, key);

	return node == NULL ? 0 : yaml_int(node, key, 0, NUMBER_MOST);
}

static int
needed(const struct tuner *t, const char *section, const char *key)
{
	int n = whole(t, section, key);

	if (n == 0)
		place_die((struct place){ .source = t->root->place.source }, "no %s: %s", section, key);
	return n;
}

struct numbers {
	int n, *at;
};

/* Return a list or a single number; an empty list for "auto", empty or 0. */
static struct numbers
numbers_of(const struct tuner *t, const char *section, const char *key)
{
	const struct yaml *node = value(t, section, key);
	struct numbers all = { 0 };

	if (node == NULL || (node->type == YAML_SCALAR &&
	    (strcasecmp(node->text, "auto") == 0 || strcmp(node->text, "0") == 0)))
		return all;
	if (node->type == YAML_MAP)
		place_die(node->place, "%s: neither a number, a list nor auto", key);
	for (int i = 0; i < (node->type == YAML_LIST ? node->n : 1); i++) {
		const struct yaml *one = node->type == YAML_LIST ? node->item[i] : node;

		*APPEND(all.at, all.n) = yaml_int(one, key, 1, 1 << 24);
	}
	return all;
}

static bool
has(const struct numbers *all, int n)
{
	for (int i = 0; i < all->n; i++)
		if (all->at[i] == n)
			return true;
	return false;
}

static void
limit(struct tuner *t, const char *name, struct numbers all)
{
	char *text = xstrdup("");

	for (int i = 0; i < all.n; i++) {
		char *longer = xasprintf("%s%s%d", text, i > 0 ? "," : "", all.at[i]);

		free(text);
		text = longer;
	}
	if (all.n > 0)
		xjson_set(t->limits, name, json_string(text));
	free(text);
	free(all.at);
}

/*
 * Set the data-parallel devices. Those of sapp_nd are the replicas times the devices over which parameters are divided.
 */
static void
data_parallel(struct tuner *t)
{
	struct numbers dp = numbers_of(t, "parallelism", "dp"), fsdp = numbers_of(t, "parallelism", "fsdp");
	struct numbers all = { 0 };
	const struct yaml *divided = value(t, "parallelism", "fsdp");
	bool one = fsdp.n == 1 && fsdp.at[0] == 1;

	if (divided != NULL && !one)
		place_warn(divided->place, "fsdp: its devices are counted as data parallel; sharding of parameters is "
		    "not supported");
	for (int i = 0; i < dp.n; i++)
		for (int k = 0; k < (fsdp.n > 0 ? fsdp.n : 1); k++) {
			int64_t product = (int64_t)dp.at[i] * (fsdp.n > 0 ? fsdp.at[k] : 1);

			if (product > 1 << 24)
				place_die(divided->place, "fsdp: fsdp times dp is too large '%d'", fsdp.at[k]);
			if (!has(&all, (int)product))
				*APPEND(all.at, all.n) = (int)product;
		}
	if (divided != NULL && fsdp.n == 0) {	/* it is open, so the product is also */
		free(all.at);
		all = (struct numbers){ 0 };
	}
	limit(t, "dp", all);
	free(dp.at);
	free(fsdp.at);
}

/* Apply the switches of dense_tuner, which disable dimensions and require a minimum of replicas. */
static void
switches(struct tuner *t)
{
	const struct yaml *cp = value(t, "search_space", "enable_cp"), *pp = value(t, "search_space", "enable_pp");
	const struct yaml *asked = value(t, "search_space", "dp_range");
	int least = whole(t, "constraints", "min_dp_degree");

	if (cp == NULL || !yaml_bool(cp, "enable_cp"))
		xjson_set(t->limits, "cp", json_string("1"));
	if (pp != NULL && !yaml_bool(pp, "enable_pp")) {
		xjson_set(t->limits, "pp", json_string("1"));
		xjson_set(t->limits, "vp", json_string("1"));
	}
	if (least > 1 && json_object_get(t->limits, "dp") != NULL) {
		struct numbers all = numbers_of(t, "search_space", "dp_range"), kept = { 0 };

		for (int i = 0; i < all.n; i++)
			if (all.at[i] >= least)
				*APPEND(kept.at, kept.n) = all.at[i];
		if (kept.n == 0)
			place_die(asked->place, "dp_range: all values are below min_dp_degree '%d'", least);
		limit(t, "dp", kept);
		free(all.at);
	} else if (least > 1) {
		int most = needed(t, "hardware", "num_devices");
		char *range = xasprintf("%d-%d", least, most);

		if (least > most)
			place_die(value(t, "constraints", "min_dp_degree")->place, "min_dp_degree: above the number of "
			    "devices %d '%d'", most, least);
		xjson_set(t->limits, "dp", json_string(range));
		free(range);
	}
}

/* Return the cluster for a device that HyperParallel's tools know, or that is the name of a cluster here. */
static const char *
cluster_of(const struct tuner *t)
{
	/* The search runner of HyperParallel uses ascend910b for an A3, although an A2 has this chip. */
	static const char *const known[][2] = {
		{ "a2", "atlas-900-a2" }, { "ascend", "atlas-900-a2" }, { "ascend910", "atlas-900-a2" },
		{ "ascend910b", "atlas-900-a2" }, { "a3", "atlas-900-a3" },
	};
	const char *section = t->dense ? "hardware" : "cluster";
	const struct yaml *node = value(t, section, "device_type");
	const char *text;

	if (node == NULL)
		place_die((struct place){ .source = t->root->place.source }, "missing key '%s: device_type'", section);
	text = yaml_string(node, "device_type");
	for (size_t i = 0; i < sizeof known / sizeof *known; i++)
		if (strcasecmp(text, known[i][0]) == 0)
			return known[i][1];
	return text;
}

static void
give(json_t *map, const char *key, double figure)
{
	if (figure > 0)
		xjson_set(map, key, json_real(figure));
}

/* Return the devices as members that override the cluster's record. */
static json_t *
devices(struct tuner *t)
{
	json_t *job = json_object();
	const char *within = t->dense ? "constraints" : "constraint";
	double most = t->dense ? real(t, "hardware", "memory_per_device_mb") :
	    real(t, "cluster", "device_memory_gb") * GIB;
	double limited = t->dense ? real(t, within, "memory_limit_mb") : real(t, within, "memory_limit_gb") * GIB;
	int each = t->dense ? whole(t, "hardware", "devices_per_node") : needed(t, "cluster", "cards_per_node");
	json_int_t all = t->dense ? needed(t, "hardware", "num_devices") :
	    (json_int_t)each * needed(t, "cluster", "num_nodes");

	if (all > 1 << 24)
		place_die((struct place){ .source = t->root->place.source }, "too many devices '%lld'",
		    (long long)all);
	xjson_set(job, "devices", json_integer(all));
	xjson_set(job, "cluster", json_string(cluster_of(t)));
	xjson_set(job, "global_batch", json_integer(needed(t, within, "global_batch_size")));
	if (limited > 0 && (most == 0 || limited < most))
		most = limited;
	if (most >= 1)
		xjson_set(job, "memory", json_integer((json_int_t)most));
	/* The limit is for training alone, so nothing below it is reserved. */
	if (limited > 0)
		xjson_set(t->hardware, "reserve", json_integer(0));
	if (each > 0)
		xjson_set(t->hardware, "devices_per_node", json_integer(each));
	if (t->dense) {
		give(t->hardware, "peak", real(t, "hardware", "tflops_per_device"));
		give(t->hardware, "intra_bandwidth", real(t, "hardware", "intra_node_bandwidth_gb"));
		give(t->hardware, "inter_bandwidth", real(t, "hardware", "inter_node_bandwidth_gb"));
	} else {	/* in Gbit/s */
		give(t->hardware, "intra_bandwidth", real(t, "cluster", "intra_node_bandwidth_gbps") / 8);
		give(t->hardware, "inter_bandwidth", real(t, "cluster", "inter_node_bandwidth_gbps") / 8);
	}
	return job;
}

/* Return whether a value equals PLAIN, the fixed behaviour. */
static bool
is_plain(const struct yaml *node, const char *plain)
{
	if (plain == NULL)
		return false;
	if (node->type != YAML_SCALAR)
		return strcmp(plain, "[]") == 0 && node->type == YAML_LIST && node->n == 0;
	return strcasecmp(node->text, plain) == 0;
}

/* Take a key of the file, or of its SECTION. */
static void
take(struct tuner *t, const struct entry table[], const char *section, const struct yaml *map, int i)
{
	const char *known[64] = { 0 }, *key = map->key[i];
	const struct yaml *node = map->item[i];
	int nknown = 0;

	for (const struct entry *e = table; e->key != NULL; e++) {
		if (strcmp(e->section, section) != 0)
			continue;
		known[nknown++] = e->key;
		if (strcmp(e->key, key) != 0)
			continue;
		if (yaml_is_null(node))
			return;
		if (e->into == REFUSED && !(node->type == YAML_SCALAR && *node->text == '\0'))
			place_die(map->key_place[i], "%s: not read: %s", key, e->to);
		if (e->into == LOST && !is_plain(node, e->plain))
			place_warn(map->key_place[i], "%s: ignored: %s", key, e->to);
		/* Ranges in the section parallelism take precedence. */
		if (e->into == LIMIT && (strcmp(section, "pp_config") != 0 ||
		    value(t, "parallelism", strcmp(e->to, "mb") == 0 ? "micro_batch_num" : e->to) == NULL))
			limit(t, e->to, numbers_of(t, section, key));
		return;
	}
	place_die(map->key_place[i], "%s%sunknown key '%s' (known:%s)", section, *section != '\0' ? ": " : "", key,
	    spelling_known(key, known));
}

json_t *
tuner_job(const struct yaml *root, const char *path)
{
	static const char *const sections[] = { "cluster", "parallelism", "constraint", "pp_config", "hardware",
		"search_space", "constraints", NULL };
	enum search_file kind = search_file_kind(root);
	struct tuner t = { .root = root, .dense = kind == SEARCH_DENSE_TUNER };
	const struct entry *table = t.dense ? dense_tuner : sapp_nd;
	const char *base = strrchr(path, '/');
	const struct yaml *size;
	json_t *job;

	if (kind == SEARCH_NONE)
		return NULL;
	t.limits = json_object();
	t.hardware = json_object();
	if (yaml_find(root, "model") < 0 && value(&t, "", "train_yaml") == NULL)
		place_die((struct place){ .source = path }, "missing key 'model'");
	/* A section of the other file format counts as an unknown key. */
	for (int i = 0; i < root->n; i++) {
		const struct yaml *map = root->item[i];
		bool section = false;

		if (strcmp(root->key[i], "model") == 0)
			continue;
		for (int s = t.dense ? 4 : 0; s < (t.dense ? 7 : 4); s++)
			section |= strcmp(sections[s], root->key[i]) == 0;
		if (section && map->type != YAML_MAP && !yaml_is_null(map))
			place_die(map->place, "%s: not a map", root->key[i]);
		for (int k = 0; section && map->type == YAML_MAP && k < map->n; k++)
			take(&t, table, root->key[i], map, k);
		if (!section)
			take(&t, table, "", root, i);
	}
	job = devices(&t);
	if (t.dense)
		switches(&t);
	else
		data_parallel(&t);
	/* The number of micro-batches determines the number of their sequences. */
	size = value(&t, "model", "local_batch_size");
	if (size != NULL && json_object_get(t.limits, "mb") == NULL)
		limit(&t, "mbs", numbers_of(&t, "model", "local_batch_size"));
	xjson_set(job, "model", json_string(base != NULL ? base + 1 : path));
	xjson_set(job, "target", json_string("mindformers"));
	xjson_set(job, "hardware", t.hardware);
	xjson_set(job, "limits", t.limits);
	return job;
}
