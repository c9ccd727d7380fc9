#include "settings_file.h"

#include <stdlib.h>
#include <string.h>

#include "lib/base/alloc.h"
#include "lib/setup/launch_yaml.h"
#include "lib/setup/launched.h"
#include "lib/setup/primus.h"
#include "lib/yaml/yaml_edit.h"
#include "sapp-yaml/plan/degrees.h"
#include "arguments.h"

/* Options decided by a plan: set to its values, or removed. */
static const enum launch_option decided[] = {
	LAUNCH_STAGES, LAUNCH_VIRTUAL, LAUNCH_PER_VIRTUAL, LAUNCH_FIRST, LAUNCH_LAST, LAUNCH_LAYOUT, LAUNCH_HYBRID,
	LAUNCH_GROUP, LAUNCH_OVERLAP, LAUNCH_GRANULARITY, LAUNCH_METHOD, LAUNCH_RECOMPUTE, LAUNCH_MODULES,
	LAUNCH_OFFLOAD, LAUNCH_OFFLOAD_MODULES, LAUNCH_ACTIVATIONS, LAUNCH_EMBEDDING_COUNTS, LAUNCH_LOSS_COUNTS,
	LAUNCH_SPLIT_LIST, LAUNCH_LAYER_IDS, LAUNCH_OWN_RUNTIME, LAUNCH_ALGORITHM, LAUNCH_OFFLOAD_ORDER,
	LAUNCH_STAGE_FULL, LAUNCH_STAGE_METHOD, LAUNCH_STAGE_LAYERS, LAUNCH_HETERO_LIST, LAUNCH_PARTIAL,
};
enum { DECIDED = sizeof decided / sizeof decided[0] };

enum target
settings_target(const struct yaml *root)
{
	enum launch_dialect d = launch_maps_of(root).dialect;

	return d == LAUNCH_PRIMUS ? TARGET_PRIMUS : d == LAUNCH_FLAGSCALE ? TARGET_FLAGSCALE :
	    yaml_get(yaml_get(root, "train"), "accelerator") != NULL ? TARGET_HYPERPARALLEL : TARGETS;
}

bool
settings_experts(const struct yaml *root)
{
	struct launch l;
	bool has;

	launch_read_yaml(&l, root);
	has = l.value[LAUNCH_EXPERTS] != NULL;
	launch_free(&l);
	return has;
}

/* Place of an option: map and index. */
struct found_settings {
	const struct yaml *map;
	int i;
};

static bool
find(const struct yaml *map, enum launch_option o, bool deep, struct found_settings *f)
{
	for (int i = 0; map != NULL && i < map->n; i++) {
		if (map->item[i]->type == YAML_MAP) {
			if (deep && find(map->item[i], o, deep, f))
				return true;
		} else if (launch_yaml_named(map->key[i]) == o) {
			*f = (struct found_settings){ map, i };
			return true;
		}
	}
	return false;
}

static void
set(struct launch *l, enum launch_option o, const char *value)
{
	launch_set(l, o, value != NULL ? xstrdup(value) : NULL);
}

/* Keep pieces as a list, if the file has a list. */
static void
keep_list(struct launch *want, const struct launch *now, const struct yaml_question *q)
{
	static const enum launch_option places[] = { LAUNCH_VIRTUAL, LAUNCH_PER_VIRTUAL, LAUNCH_FIRST, LAUNCH_LAST,
		LAUNCH_LAYOUT };
	bool hetero = now->value[LAUNCH_HETERO] != NULL;
	enum launch_option o = hetero ? LAUNCH_HETERO_LIST : LAUNCH_SPLIT_LIST;
	struct grid data = grid_copy(q->pieces);
	int *order = schedule_pieces(&q->shape), least = q->layers;

	for (int i = 0; i < data.chunks * data.stages; i++) {
		data.at[i] = q->pieces.at[order[i]];
		least = data.at[i] < least ? data.at[i] : least;
	}
	free(order);
	if (hetero && q->shape.chunks > 1)
		place_die(now->place[LAUNCH_HETERO], "%s: not with several chunks a stage", launch_key(LAUNCH_HETERO));
	if ((hetero || now->value[LAUNCH_SPLIT_LIST] != NULL) && least > 0 && q->extra == 0 &&
	    want->value[LAUNCH_MTP] == NULL) {
		for (size_t i = 0; i < sizeof places / sizeof places[0]; i++)
			set(want, places[i], NULL);
		if (q->shape.chunks > 1)
			launch_set(want, LAUNCH_VIRTUAL, xasprintf("%d", q->shape.chunks));
		launch_set(want, o, primus_split_text(data, q->shape.kind));
	}
	free(data.at);
}

/* Keep settings with equal meaning. */
static void
keep(struct launch *want, const struct launch *now, const struct yaml_question *q)
{
	keep_list(want, now, q);
	if (want->value[LAUNCH_PER_VIRTUAL] == NULL && now->value[LAUNCH_PER_VIRTUAL] != NULL &&
	    want->value[LAUNCH_VIRTUAL] != NULL && want->value[LAUNCH_SPLIT_LIST] == NULL) {
		set(want, LAUNCH_VIRTUAL, NULL);
		launch_set(want, LAUNCH_PER_VIRTUAL, xasprintf("%d", q->pieces.at[0]));
	}
	/* Without recomputation its method does not matter. */
	if (want->value[LAUNCH_GRANULARITY] == NULL) {
		set(want, LAUNCH_METHOD, now->value[LAUNCH_METHOD]);
		set(want, LAUNCH_RECOMPUTE, now->value[LAUNCH_RECOMPUTE]);
	}
	/* A schedule of Megatron-LM has no name here. */
	if (want->value[LAUNCH_OWN_RUNTIME] == NULL)
		set(want, LAUNCH_ALGORITHM, now->value[LAUNCH_ALGORITHM]);
}

static void
check_model(const struct launch *want, const struct launch *now, const struct yaml_question *q)
{
	static const enum launch_option model[] = { LAUNCH_LAYERS, LAUNCH_MTP };

	for (size_t i = 0; i < sizeof model / sizeof model[0]; i++) {
		enum launch_option o = model[i];
		const char *a = now->value[o] != NULL ? now->value[o] : "0";
		const char *b = want->value[o] != NULL ? want->value[o] : "0";

		if (strcmp(a, b) != 0 && (o != LAUNCH_LAYERS || now->value[o] != NULL))
			place_die(now->place[o].line > 0 ? now->place[o] : (struct place){ now->source, 0 },
			    "%s is %s, but the plan (%s:%ld) has %s", o == LAUNCH_LAYERS ? "num_layers"
			    : "mtp_num_layers", a, q->place.source, q->place.line, b);
	}
}

static bool
same(const char *a, const char *b)
{
	return (a == NULL) == (b == NULL) && (a == NULL || strcmp(a, b) == 0);
}

static bool
find_in(const struct launch_maps *m, enum launch_option o, struct found_settings *f)
{
	return find(m->system, o, m->dialect == LAUNCH_FLAGSCALE, f) || find(m->model, o, true, f);
}

/* MISSING: the text for an option to be removed. */
static void
edit(struct edits *e, const struct launch_maps *m, enum launch_option o, const struct launch *want,
    const char *missing)
{
	const struct yaml *map = launch_in_model(o) && m->model != NULL ? m->model : m->system;
	struct found_settings f;
	char *key, *value = want->value[o] != NULL ? launch_yaml_text(o, want->value[o]) : xstrdup(missing);

	if (find_in(m, o, &f) && f.map->item_span[f.i].end == 0) {
		/* Override a merged value. */
		yaml_edit_entry(e, f.map, NULL, f.map->key[f.i], value);
	} else if (find_in(m, o, &f)) {
		yaml_edit_value(e, f.map, f.i, value);
	} else {
		key = launch_yaml_key(o);
		yaml_edit_entry(e, map, NULL, key, value);
		free(key);
	}
	free(value);
}

/* Mark the options that the candidate decides in a file with settings NOW. */
static void
decide(bool of[LAUNCH_OPTIONS], const struct launch *now, const struct launch *want, const struct configuration *c)
{
	bool has[LAUNCH_OPTIONS], experts = want->value[LAUNCH_EXPERT] != NULL;
	struct configuration runs;

	for (int o = 0; o < LAUNCH_OPTIONS; o++)
		has[o] = now->value[o] != NULL;
	degrees_of_launch(&runs, now, configuration_devices(c), experts);
	candidate_decide(of, has, c, &runs, experts);
	free(runs.stage_layers.at);
}

void
settings_edits(struct edits *e, const struct yaml *root, struct launch *want, const struct yaml_question *q)
{
	struct launch_maps m = launch_maps_of(root);
	struct launch now;
	bool of_plan[LAUNCH_OPTIONS] = { false }, of_candidate[LAUNCH_OPTIONS] = { false };

	launch_read_yaml(&now, root);
	check_model(want, &now, q);
	keep(want, &now, q);
	for (int i = 0; i < DECIDED; i++)
		of_plan[decided[i]] = true;
	launched_check_fsdp(&now, want);
	if (q->degrees != NULL)
		decide(of_candidate, &now, want, q->degrees);
	for (int o = 0; o < LAUNCH_OPTIONS; o++) {
		bool wanted = q->degrees != NULL && want->value[o] != NULL && o != LAUNCH_LAYERS && o != LAUNCH_MTP;
		bool flag = of_candidate[o] && launch_takes((enum launch_option)o) == 0;
		const char *value = want->value[o];
		struct found_settings f;

		/* null equals an absent key. */
		if (value != NULL && strcmp(value, "null") == 0 && now.value[o] == NULL)
			continue;
		/* Write defaults explicitly, as presets may differ. */
		if ((of_plan[o] || of_candidate[o] || wanted) && (!same(now.value[o], value) ||
		    (now.value[o] != NULL && !find_in(&m, (enum launch_option)o, &f))))
			edit(e, &m, (enum launch_option)o, want, flag ? "false" : "null");
	}
	launch_free(&now);
}
