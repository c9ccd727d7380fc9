#include "update.h"

#include <stdlib.h>
#include <string.h>

#include "lib/base/alloc.h"
#include "lib/base/memstream.h"
#include "lib/setup/scheduler.h"
#include "lib/setup/swap.h"
#include "lib/yaml/yaml_edit.h"
#include "parallel.h"

/* Return whether the file is for another pipeline, so that none of its lists can stay. */
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

	/* Check the file's lists only if they are for the plan's pipeline. */
	if (!update_whole(t, p, q))
		training_check(t);
	if (t->layers != 0 && t->layers != q->layers && t->layers + t->extra_layers != q->layers)
		place_die(t->place, "num_layers is %d, but the plan '%s' (%s:%ld) has %s", t->layers, p->name,
		    source, line, question_layers(q));
	if (t->layers == 0)
		place_warn(t->place, "no num_layers: cannot check that the model has the plan's %d layers", q->layers);
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

/* Return whether all lists of a value, or of each of its patterns, have the size of the pipeline. */
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

/* Return whether the value is valid for the plan's pipeline and equals WANT. */
static bool
says(const struct update *u, const struct yaml *value, enum training_key key, struct grid want)
{
	const struct training *t = u->t;
	struct grid now = { 0 };
	bool same;

	if (!fits(value, want))
		return false;
	if (key != TRAINING_OFFSET)
		now = training_counts(value, training_paths[key].key, want.chunks, want.stages, u->layers);
	else if (t->stages == want.stages && t->interleave == want.chunks)
		now = training_offsets(t);
	same = equal(now, want);
	free(now.at);
	return same;
}

void
update_set(struct update *u, enum training_key key, char *value)
{
	const char *const *map = training_paths[key].map;
	char *path = xasprintf("%s%s%s.%s", map[0], map[1] != NULL ? "." : "", map[1] != NULL ? map[1] : "",
	    training_paths[key].key);

	yaml_edit_set(&u->text, &u->length, u->t->path, path, value);
	free(path);
	free(value);
}

void
update_word(struct update *u, enum training_key key, const char *want, const char *missing)
{
	if (training_value(u->t, key) != NULL || strcmp(want, missing) != 0)
		update_set(u, key, xstrdup(want));
}

/* Return {'a': [1, 0], 'b': [1, 0]} for a map or a list of the patterns a and b. */
static char *
for_patterns(const struct yaml *value, struct grid want)
{
	char *list = all_zero(want) ? xstrdup("False") : settings_text(want), *text = NULL;
	size_t size;
	FILE *f = memstream_open(&text, &size);

	for (int i = 0; i < value->n; i++) {
		fputs(i > 0 ? ", " : "{", f);
		operator_put_quoted(f, value->type == YAML_MAP ? value->key[i] : value->item[i]->text);
		fprintf(f, ": %s", list);
	}
	fputs("}", f);
	memstream_close(f);
	free(list);
	return text;
}

/* Set the schedule, and its number of sequence splits, unless they already mean the plan's schedule. */
static void
update_scheduler(struct update *u, const struct shape *q)
{
	const char *word = u->t->scheduler != NULL ? u->t->scheduler : "1f1b";
	char *number = xasprintf("%d", q->splits > 1 ? q->splits : 1);

	/* Set the splits first, because a word for the schedule may depend on them. */
	if (!scheduler_means(word, q->splits > 1 ? q->splits : u->t->seq_split, q))
		update_word(u, TRAINING_SCHEDULER, scheduler_word(q), "1f1b");
	if (q->splits > 1)
		update_word(u, TRAINING_SPLITS, number, "");
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
 * Return whether the file has the plan's patterns. Exits if a pattern has no kind record, because its purpose is then
 * unknown.
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

/* Write a list of numbers per pattern in place of the old value. */
static void
update_patterns(struct update *u, enum training_key key)
{
	char *text = pattern_lists_text(u->want, key == TRAINING_SELECT_COMM, u->place);

	if (training_value(u->t, key) != NULL || strcmp(text, "False") != 0)
		update_set(u, key, text);
	else
		free(text);
}

/* Write a list with one number per piece. */
static void
update_list(struct update *u, enum training_key key, struct grid want)
{
	const struct yaml *value = training_value(u->t, key);
	/* With offloading the values are lists of layers. */
	bool same = value != NULL && (key == TRAINING_OFFSET || !u->t->swap);

	for (int i = 0; same && value->type == YAML_MAP && i < value->n; i++)
		same = says(u, value->item[i], key, want);
	if (same && value->type != YAML_MAP)
		same = says(u, value, key, want);
	if (same || (value == NULL && all_zero(want)))
		return;
	if (value != NULL && value->n > 0 && (value->type == YAML_MAP || training_of_patterns(value)))
		update_set(u, key, for_patterns(value, want));
	else if (all_zero(want) && value->type != YAML_LIST)
		update_set(u, key, xstrdup(key == TRAINING_OFFSET ? "0" : "False"));
	else
		update_set(u, key, settings_text(want));
}

/* Exit if a pattern of the file has no kind record. */
static void
check_patterns(const struct training *t, const struct pattern_sets *sets)
{
	for (int k = TRAINING_SELECT; k <= TRAINING_SELECT_COMM; k++)
		pattern_lists_check(sets, training_value(t, (enum training_key)k), (enum training_key)k);
}

/* Write the lists for offloading, all of which list layers. */
static void
update_swaps(struct update *u, const struct plan *p, const struct yaml_question *q)
{
	int *kind = question_layer_kinds(q, p);

	check_patterns(u->t, q->sets);
	update_list(u, TRAINING_OFFSET, p->offset);
	for (int k = TRAINING_RECOMPUTE; k < TRAINING_KEYS; k++) {
		enum training_key key = (enum training_key)k;
		char *text = swap_text(q->sets, key, kind, q->layers, q->place);

		/* Remove the settings of offloading if it is unused. */
		if (text != NULL)
			update_set(u, key, text);
		else if ((k == TRAINING_LAYER_SWAP || k == TRAINING_OP_SWAP) && training_value(u->t, key) != NULL)
			update_set(u, key, xstrdup("null"));
	}
	free(kind);
}

static void
update_lists(struct update *u, const struct plan *p)
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
			update_list(u, key, want[k]);
		else if (patterns)
			update_patterns(u, key);
	}
}

/* Set the micro-batches of a pipeline, or the steps of gradient accumulation. The other number becomes 1. */
static void
update_micro(struct update *u, int stages, int micro)
{
	char *number = xasprintf("%d", micro);

	update_word(u, TRAINING_MICRO, stages > 1 ? number : "1", stages > 1 ? "" : "1");
	update_word(u, TRAINING_STEPS, stages > 1 ? "1" : number, "1");
	free(number);
}

/* Set stages and micro-batches, and degrees if the stream has them. */
static void
update_pipeline(struct update *u, const struct plan *p, const struct yaml_question *q, bool micro)
{
	const struct training *t = u->t;
	char *number = xasprintf("%d", p->offset.stages);

	update_word(u, TRAINING_STAGES, number, "");
	free(number);
	if (micro || (update_whole(t, p, q) && q->micro_batches > 0))
		update_micro(u, p->offset.stages, q->micro_batches);
	else if (q->micro_batches > 0 && t->micro_batches > 0 && q->micro_batches != t->micro_batches)
		place_warn(t->place, "%s is %d, but the plan was made for %d (write it with -mb)", t->stages == 1 ?
		    "gradient_accumulation_steps" : "micro_batch_num", t->micro_batches, q->micro_batches);
	if (q->degrees != NULL)
		parallel_update(u, q->degrees);
	else if (t->stages != p->offset.stages)
		place_warn(t->place, "pipeline_stage changed from %d to %d without other degrees from a candidate: the "
		    "run needs %d/%d of the devices", t->stages, p->offset.stages, p->offset.stages, t->stages);
}

char *
update_text(const struct training *t, const struct plan *p, const struct yaml_question *q, bool micro, size_t *length)
{
	struct update u = { .t = t, .layers = q->pieces, .want = q->patterns, .place = q->place,
		.text = xstrndup(t->text, t->length), .length = t->length };
	char *number = xasprintf("%d", p->interleave);

	if (q->swaps)
		update_swaps(&u, p, q);
	else
		update_lists(&u, p);
	if (!q->swaps && t->swap)
		update_word(&u, TRAINING_SWAP, "False", "False");
	update_word(&u, TRAINING_INTERLEAVE_NUM, number, "1");
	update_word(&u, TRAINING_INTERLEAVE, scheduler_interleaves(&q->shape) ? "True" : "False", "False");
	free(number);
	update_scheduler(&u, &q->shape);
	update_pipeline(&u, p, q, micro);
	if (t->device_memory > 0 && q->limit > t->device_memory)
		place_warn(training_value(t, TRAINING_MEMORY)->place, "max_device_memory stays at %.15g MB, but the "
		    "plan was made for %.15g MB: plan with -mem %.15g, or set the memory of the devices",
		    t->device_memory, q->limit, t->device_memory);
	*length = u.length;
	return u.text;
}

static bool
schedules_agree(const struct training *t, const struct shape *q)
{
	return scheduler_means(t->scheduler != NULL ? t->scheduler : "1f1b", t->seq_split, q);
}

/* Return whether the kinds of layers in the file agree with the plan, with offloading. */
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

/* Return whether select_recompute and select_comm_recompute agree with the plan. */
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
		    "not written: the edited text would not express the plan '%s'; paste the lines that sapp-yaml "
		    "prints without -w", p->name);
	if (q->degrees != NULL)
		parallel_verify(&t, q->degrees, p->name);
	settings_free(&s);
	training_free(&t);
}

char *
update_degrees(char *text, size_t length, const struct plan *p, const struct yaml_question *q)
{
	struct training t;
	struct update u = { .t = &t, .layers = q->pieces, .place = q->place, .text = text, .length = length };

	training_parse(&t, "the settings", xstrndup(text, length), length, false);
	update_pipeline(&u, p, q, q->micro_batches > 0);
	training_free(&t);
	training_parse(&t, "the settings", xstrndup(u.text, u.length), u.length, false);
	if (q->degrees != NULL)
		parallel_verify(&t, q->degrees, p->name);
	training_free(&t);
	return u.text;
}
