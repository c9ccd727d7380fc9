#include "update.h"

#include <stdlib.h>
#include <string.h>

#include "lib/base/alloc.h"
#include "lib/setup/scheduler.h"
#include "lib/setup/swap.h"
#include "insert.h"
#include "parallel.h"
#include "value.h"

/* Return whether the file belongs to another pipeline, so that none of its lists can stay. */
static bool
update_whole(const struct training *t, const struct plan *p, const struct yaml_question *q)
{
	return q->degrees != NULL || t->stages != p->offset.stages || t->interleave != p->interleave;
}

void
update_check(const struct training *t, const struct plan *p, const struct yaml_question *q)
{
	const char *source = q->place.source;
	long line = q->place.line;

	/* Check lists only if they belong to the plan's pipeline. */
	if (!update_whole(t, p, q))
		training_check(t);
	if (t->layers != 0 && t->layers != q->layers && t->layers + t->extra_layers != q->layers)
		place_die(t->place, "num_layers is %d, but the plan '%s' (%s:%ld) has %s", t->layers, p->name,
		    source, line, question_layers(q));
	if (t->layers == 0)
		place_warn(t->place, "no num_layers, which the plan's %d could be compared with", q->layers);
	if (update_takes_less(q) && t->whole_graph != NULL)
		place_die(t->whole_graph->place, "jit_level: '%s' cannot run vpp-less, the schedule of the plan '%s': "
		    "write O0 or O1", t->whole_graph->text, p->name);
}

bool
update_takes_less(const struct yaml_question *q)
{
	return q->shape.kind == SCHEDULE_VPP_LESS && q->shape.chunks > 1 && q->shape.splits <= 1;
}

static bool
all_zero(struct grid g)
{
	for (int i = 0; i < g.chunks * g.stages; i++)
		if (g.at[i] != 0)
			return false;
	return true;
}

static bool
equal(struct grid a, struct grid b)
{
	return a.chunks == b.chunks && a.stages == b.stages &&
	    memcmp(a.at, b.at, (size_t)(a.chunks * a.stages) * sizeof *a.at) == 0;
}

/* Return whether all lists of a value, or of each pattern, match the pipeline. */
static bool
fits(const struct yaml *value, struct grid layers)
{
	if (value == NULL || value->type == YAML_SCALAR || (value->type == YAML_LIST && training_of_patterns(value)))
		return true;
	for (int i = 0; i < value->n; i++)
		if (!fits(value->item[i], layers))
			return false;
	return value->type == YAML_MAP || value->n == (training_of_lists(value) ? layers.chunks : layers.stages);
}

/* Return whether the list has one number per piece. */
static bool
has_shape(const struct yaml *list, struct grid g)
{
	if (list->type != YAML_LIST)
		return false;
	if (g.chunks == 1 && !training_of_lists(list))
		return list->n == g.stages && !training_of_patterns(list);
	for (int v = 0; v < list->n; v++)
		if (list->item[v]->type != YAML_LIST || list->item[v]->n != g.stages ||
		    list->item_span[v].start != list->item[v]->span.start)
			return false;
	return list->n == g.chunks;
}

/* Return whether the value is valid for the plan's pipeline and already equal. */
static bool
says(const struct update *u, const struct yaml *value, enum training_key key, struct grid want)
{
	const char *name = training_paths[key].key;
	struct grid now;
	bool same;

	if (key != TRAINING_OFFSET && !fits(value, want))
		return false;
	if (key != TRAINING_OFFSET)
		now = training_counts(value, name, want.chunks, want.stages, u->layers);
	else if (value->type == YAML_SCALAR || has_shape(value, want))
		now = settings_list(value, name, want.chunks, want.stages, NULL);
	else
		return false;
	same = equal(now, want);
	free(now.at);
	return same;
}

/* Replace single numbers, to keep spacing and comments between them. */
static void
replace_numbers(const struct update *u, const struct yaml *list, enum training_key key, struct grid want,
    int chunk)
{
	for (int s = 0; s < want.stages; s++) {
		const struct yaml *item = list->item[s];
		int n = *grid_at(want, chunk, s);
		/* "true" as an entry means all layers. */
		bool all = key != TRAINING_OFFSET && yaml_is_bool(item) && yaml_bool(item, "entry");

		if (yaml_is_bool(item) ? n == (all ? *grid_at(u->layers, chunk, s) : 0)
		    : strtol(item->text, NULL, 10) == n)
			continue;
		value_replace(u, item, list->item_span[s], (struct yaml_span){ 0, 0 }, xasprintf("%d", n));
	}
}

static char *
literal(const struct yaml *value, enum training_key key, struct grid want)
{
	if (all_zero(want) && value->type != YAML_LIST)
		return xstrdup(key == TRAINING_OFFSET ? "0" : "False");
	return settings_text(want);
}

/*
 * Convert ['a', 'b'], which recomputes operations a and b in all layers, to {'a': [1, 0], 'b': [1, 0]}, for some
 * layers.
 */
static void
patterns_to_map(const struct update *u, const struct yaml *list, struct yaml_span span, struct grid want)
{
	size_t start = yaml_edit_start(u->edits, span);

	if (span.start != list->span.start)
		place_die(list->place,
		    "an alias for a list of patterns: write the list itself in its place first");
	if (list->flow)
		edits_add(u->edits, start, start + 1, xstrdup("{"));
	for (int i = 0; i < list->n; i++) {
		char *text = all_zero(want) ? xstrdup("False") : settings_text(want);
		size_t dash = list->item_span[i].start;

		/* Replace the dash of a block list by a space. */
		while (!list->flow && u->t->text[dash] != '-')
			dash--;
		if (!list->flow)
			edits_add(u->edits, dash, dash + 1, xstrdup(" "));
		edits_add(u->edits, list->item_span[i].end, list->item_span[i].end, xasprintf(": %s", text));
		free(text);
	}
	if (list->flow)
		edits_add(u->edits, span.end - 1, span.end, xstrdup("}"));
}

static void
update_value(const struct update *u, const struct yaml *value, struct yaml_span span, struct yaml_span map_key,
    enum training_key key, struct grid want)
{
	/* Lists of layers do not concern pieces. */
	if (value->type != YAML_MAP && (key == TRAINING_OFFSET || !u->t->swap) && says(u, value, key, want))
		return;
	if (value->type == YAML_MAP) {
		if (span.start != value->span.start)
			place_die(value->place,
			    "an alias for a map of patterns: write the map itself in its place first");
		for (int i = 0; i < value->n; i++)
			update_value(u, value->item[i], value->item_span[i], value->key_span[i], key, want);
	} else if (value->type == YAML_LIST && training_of_patterns(value)) {
		patterns_to_map(u, value, span, want);
	} else if (has_shape(value, want) && span.start == value->span.start) {
		value_warn_of_aliases(u->t, value);
		if (want.chunks == 1 && !training_of_lists(value))
			replace_numbers(u, value, key, want, 0);
		else
			for (int v = 0; v < want.chunks; v++)
				replace_numbers(u, value->item[v], key, want, v);
	} else {
		value_replace(u, value, span, map_key, literal(value, key, want));
	}
}

/* Set the schedule, unless it already means the plan's, and its parts of sequences. */
static void
update_scheduler(const struct update *u, const struct shape *q, struct missing *m)
{
	const char *word = u->t->scheduler != NULL ? u->t->scheduler : "1f1b";
	char *number = xasprintf("%d", q->splits > 1 ? q->splits : 1);

	/* First the parts: a word may depend on them. */
	if (!scheduler_means(word, q->splits > 1 ? q->splits : u->t->seq_split, q))
		value_update_word(u, TRAINING_SCHEDULER, scheduler_word(q), "1f1b", m);
	if (q->splits > 1)
		value_update_word(u, TRAINING_SPLITS, number, "", m);
	free(number);
}

static bool
lists_say(const struct training *t, const struct pattern_lists *want, struct grid layers)
{
	struct pattern_lists now = pattern_lists_read(want->sets, t, layers);
	bool same = pattern_lists_equal(&now, want);

	pattern_lists_free(&now);
	return same;
}

/*
 * Return whether the file has the plan's patterns. Exits on a pattern without a kind record, as its purpose is unknown.
 */
static bool
says_patterns(const struct training *t, const struct pattern_lists *want, struct grid layers)
{
	for (int k = TRAINING_SELECT; k <= TRAINING_SELECT_COMM; k++) {
		const struct yaml *value = training_value(t, (enum training_key)k);

		pattern_lists_check(want->sets, value, (enum training_key)k);
		if (!fits(value, layers))
			return false;
	}
	return lists_say(t, want, layers);
}

/* Write a list of numbers per pattern over the old value. */
static void
update_patterns(const struct update *u, enum training_key key, struct missing *m)
{
	const struct yaml *map = training_map(u->t, key);
	char *text = pattern_lists_text(u->want, key == TRAINING_SELECT_COMM, u->place);
	int i = map == NULL ? -1 : yaml_find(map, training_paths[key].key);

	if (i >= 0 && map->item_span[i].end != 0) {
		value_refuse_repeated(map, key);
		if (map->item_span[i].start != map->item[i]->span.start)
			place_die(map->item[i]->place, "an alias for lists of patterns: write them in its place first");
		value_replace(u, map->item[i], map->item_span[i], map->key_span[i], text);
	} else if (strcmp(text, "False") != 0) {
		missing_add(m, key, text);
	} else {
		free(text);
	}
}

/* Write a list with one number per piece. */
static void
update_list(const struct update *u, enum training_key key, struct grid want, struct missing *m)
{
	const struct yaml *map = training_map(u->t, key);
	int i = map == NULL ? -1 : yaml_find(map, training_paths[key].key);
	bool pieces = key == TRAINING_OFFSET || !u->t->swap;

	if (i >= 0 && map->item[i]->type != YAML_MAP && !yaml_is_null(map->item[i]) && pieces &&
	    says(u, map->item[i], key, want))
		return;
	if (i < 0 || map->item_span[i].end == 0) {
		if (i >= 0 || !all_zero(want))
			missing_add(m, key, settings_text(want));
		return;
	}
	value_refuse_repeated(map, key);
	if (yaml_is_null(map->item[i]))
		value_replace(u, map->item[i], map->item_span[i], (struct yaml_span){ 0, 0 },
		    literal(map->item[i], key, want));
	else
		update_value(u, map->item[i], map->item_span[i], map->key_span[i], key, want);
}

/* Exit on a pattern of the file without a kind record. */
static void
check_patterns(const struct training *t, const struct pattern_sets *sets)
{
	for (int k = TRAINING_SELECT; k <= TRAINING_SELECT_COMM; k++)
		pattern_lists_check(sets, training_value(t, (enum training_key)k), (enum training_key)k);
}

/* With offloading all lists have layers. */
static void
update_swaps(const struct update *u, const struct plan *p, const struct yaml_question *q, struct missing *m)
{
	int *kind = question_layer_kinds(q, p);

	check_patterns(u->t, q->sets);
	update_list(u, TRAINING_OFFSET, p->offset, m);
	for (int k = TRAINING_RECOMPUTE; k < TRAINING_KEYS; k++) {
		enum training_key key = (enum training_key)k;
		char *text = swap_text(q->sets, key, kind, q->layers, q->place);

		/* Remove settings of unused offloading. */
		if (text != NULL)
			value_update_text(u, key, text, m);
		else if ((k == TRAINING_LAYER_SWAP || k == TRAINING_OP_SWAP) && training_value(u->t, key) != NULL)
			value_update_text(u, key, xstrdup("null"), m);
	}
	free(kind);
}

static void
update_lists(const struct update *u, const struct plan *p, struct missing *m)
{
	bool patterns = u->want != NULL && (u->t->swap || !says_patterns(u->t, u->want, u->layers));
	const struct grid want[TRAINING_LISTS] = {
		[TRAINING_OFFSET] = p->offset, [TRAINING_RECOMPUTE] = p->recompute,
		[TRAINING_SELECT] = p->select_recompute, [TRAINING_SELECT_COMM] = p->select_comm_recompute,
	};

	if (u->want != NULL && u->t->swap)
		check_patterns(u->t, u->want->sets);
	for (int k = 0; k < TRAINING_LISTS; k++) {
		enum training_key key = (enum training_key)k;

		if (u->want == NULL || (key != TRAINING_SELECT && key != TRAINING_SELECT_COMM))
			update_list(u, key, want[k], m);
		else if (patterns)
			update_patterns(u, key, m);
	}
}

/* Set the micro-batches of a pipeline, or the steps of gradient accumulation; the other becomes 1. */
static void
update_micro(const struct update *u, int stages, int micro, struct missing *m)
{
	char *number = xasprintf("%d", micro);

	value_update_word(u, TRAINING_MICRO, stages > 1 ? number : "1", stages > 1 ? "" : "1", m);
	value_update_word(u, TRAINING_STEPS, stages > 1 ? "1" : number, "1", m);
	free(number);
}

/* The memory must suffice for the plan. */
static void
update_memory(const struct update *u, double limit, struct missing *m)
{
	char *text;

	if (u->t->device_memory == 0 || limit <= u->t->device_memory)
		return;
	text = xasprintf("%.15gGB", limit / 1024);
	value_update_word(u, TRAINING_MEMORY, text, "", m);
	place_say(u->t->place, "max_device_memory was %.15g MB and is %s: the plan was made for %.15g MB",
	    u->t->device_memory, text, limit);
	free(text);
}

/* Set stages, micro-batches, and degrees if the stream has them. */
static void
update_pipeline(const struct update *u, const struct plan *p, const struct yaml_question *q, bool micro,
    struct missing *m)
{
	const struct training *t = u->t;
	char *number = xasprintf("%d", p->offset.stages);

	value_update_word(u, TRAINING_STAGES, number, "", m);
	free(number);
	if (micro || (update_whole(t, p, q) && q->micro_batches > 0))
		update_micro(u, p->offset.stages, q->micro_batches, m);
	else if (q->micro_batches > 0 && t->micro_batches > 0 && q->micro_batches != t->micro_batches)
		place_warn(t->place, "%s is %d, the plan was made for %d (-mb writes it)", t->stages == 1 ?
		    "gradient_accumulation_steps" : "micro_batch_num", t->micro_batches, q->micro_batches);
	if (q->degrees != NULL)
		parallel_update(u, q->degrees, m);
	else if (t->stages != p->offset.stages)
		place_warn(t->place, "pipeline_stage was %d and is %d, and no candidate says other degrees: the run "
		    "takes %d/%d of the devices", t->stages, p->offset.stages, p->offset.stages, t->stages);
}

void
update_edits(struct edits *e, const struct training *t, const struct plan *p, const struct yaml_question *q,
    bool micro)
{
	struct update u = { .edits = e, .t = t, .layers = q->pieces, .want = q->patterns, .place = q->place };
	struct missing m = { 0 };
	bool interleave = scheduler_interleaves(&q->shape);
	char *number = xasprintf("%d", p->interleave);

	if (q->swaps)
		update_swaps(&u, p, q, &m);
	else
		update_lists(&u, p, &m);
	if (!q->swaps && t->swap)
		value_update_word(&u, TRAINING_SWAP, "False", "False", &m);
	value_update_word(&u, TRAINING_INTERLEAVE_NUM, number, "1", &m);
	value_update_word(&u, TRAINING_INTERLEAVE, interleave ? "True" : "False", "False", &m);
	free(number);
	update_scheduler(&u, &q->shape, &m);
	update_pipeline(&u, p, q, micro, &m);
	update_memory(&u, q->limit, &m);
	missing_insert(&m, t, e);
}

static bool
schedules_agree(const struct training *t, const struct shape *q)
{
	return scheduler_means(t->scheduler != NULL ? t->scheduler : "1f1b", t->seq_split, q);
}

/* With offloading compare the kinds of layers. */
static bool
layers_agree(const struct training *t, const struct plan *p, const struct yaml_question *q)
{
	int *want, *now;
	bool same;

	if (!t->swap)
		return false;
	want = question_layer_kinds(q, p);
	now = swap_read(q->sets, t, q->layers);
	same = memcmp(want, now, (size_t)q->layers * sizeof *want) == 0;
	free(want);
	free(now);
	return same;
}

/* Compare select_recompute and select_comm_recompute. */
static bool
lists_agree(const struct training *t, const struct settings *s, const struct plan *p, const struct yaml_question *q)
{
	if (t->swap)
		return false;
	if (q->patterns != NULL)
		return says_patterns(t, q->patterns, q->pieces);
	return equal(s->select_recompute, p->select_recompute) &&
	    equal(s->select_comm_recompute, p->select_comm_recompute);
}

void
update_verify(const char *path, char *text, size_t length, const struct plan *p, const struct yaml_question *q)
{
	struct training t;
	struct settings s;
	bool same;

	training_parse(&t, path, text, length, false);
	training_check(&t);
	s = q->patterns != NULL || t.swap ? training_settings_whole(&t, q->layers) : training_settings(&t, q->layers);
	same = q->swaps ? layers_agree(&t, p, q) : lists_agree(&t, &s, p, q) && equal(s.recompute, p->recompute);
	same &= t.stages == p->offset.stages && (q->degrees == NULL || t.micro_batches == q->micro_batches);
	if (!same || t.interleave != p->interleave || !schedules_agree(&t, &q->shape) || !equal(s.offset, p->offset))
		place_die((struct place){ path, 0 },
		    "not written: the edited text would not say what the plan '%s' says; "
		    "paste the lines that sapp-yaml prints", p->name);
	if (q->degrees != NULL)
		parallel_verify(&t, q->degrees, p->name);
	settings_free(&s);
	training_free(&t);
}

char *
update_degrees(char *text, size_t length, const struct plan *p, const struct yaml_question *q)
{
	struct training t;
	struct missing m = { 0 };
	struct edits edits;
	struct update u;

	training_parse(&t, "the settings", text, length, false);
	edits = (struct edits){ .text = t.text, .length = t.length };
	u = (struct update){ .edits = &edits, .t = &t, .layers = q->pieces, .place = q->place };
	update_pipeline(&u, p, q, q->micro_batches > 0, &m);
	missing_insert(&m, &t, &edits);
	text = edits_apply(&edits, &length);
	edits_free(&edits);
	training_free(&t);
	training_parse(&t, "the settings", xstrndup(text, length), length, false);
	if (q->degrees != NULL)
		parallel_verify(&t, q->degrees, p->name);
	training_free(&t);
	return text;
}
