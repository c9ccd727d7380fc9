/* Puts keys where users expect them. */
#include "insert.h"

#include <stdlib.h>
#include <string.h>

#include "lib/base/alloc.h"
#include "lib/base/memstream.h"

/* The key that a new one follows, if present. */
static const char *const follows[TRAINING_KEYS] = {
	[TRAINING_OFFSET] = "num_layers", [TRAINING_INTERLEAVE_NUM] = "offset",
	[TRAINING_SELECT] = "recompute", [TRAINING_SELECT_COMM] = "select_recompute",
	[TRAINING_SCHEDULER] = "pipeline_interleave", [TRAINING_MICRO] = "pipeline_stage",
	[TRAINING_SPLITS] = "micro_batch_num", [TRAINING_CONTEXT] = "model_parallel",
	[TRAINING_CONTEXT_KIND] = "context_parallel", [TRAINING_EXPERT] = "model_parallel",
	[TRAINING_STEPS] = "batch_size",
	[TRAINING_LAYER_SWAP] = "swap", [TRAINING_OP_SWAP] = "layer_swap",
};

void
missing_add(struct missing *m, enum training_key key, char *text)
{
	m->text[key] = text;
}

static bool
same_map(int a, int b)
{
	for (int i = 0; training_paths[a].map[i] != NULL || training_paths[b].map[i] != NULL; i++)
		if (training_paths[a].map[i] == NULL || training_paths[b].map[i] == NULL ||
		    strcmp(training_paths[a].map[i], training_paths[b].map[i]) != 0)
			return false;
	return true;
}

/* Insert into a map in braces; MAP: names of missing maps. */
static void
insert_in_braces(struct edits *e, struct missing *m, const struct yaml *parent, enum training_key first,
    const char *const *map)
{
	struct yaml_span of_key, of_item;
	bool any = yaml_edit_last(parent, NULL, &of_key, &of_item);
	size_t at = any ? of_item.end : parent->span.end - 1;
	int open = 0;
	char *text = NULL;
	size_t size;
	FILE *f = memstream_open(&text, &size);

	if (yaml_find(parent, map[0]) >= 0)
		place_die(parent->place, "'%s' has nothing in it: add '%s' by hand", map[0], training_paths[first].key);
	fputs(any ? ", " : "", f);
	for (; map[open] != NULL; open++)
		fprintf(f, "%s: {", map[open]);
	for (int k = (int)first, more = 0; k < TRAINING_KEYS; k++)
		if (m->text[k] != NULL && same_map(k, (int)first)) {
			fprintf(f, "%s%s: %s", more++ > 0 ? ", " : "", training_paths[k].key, m->text[k]);
			free(m->text[k]);
			m->text[k] = NULL;
		}
	for (; open > 0; open--)
		putc('}', f);
	memstream_close(f);
	edits_add(e, at, at, text);
}

/* Write the missing keys below the first LEVEL maps on the way to FIRST, which are empty. */
static void
put_entries(FILE *f, const struct edits *e, struct missing *m, enum training_key first, int level, int column)
{
	for (int k = 0; k < TRAINING_KEYS; k++) {
		const char *const *map = training_paths[k].map;
		bool below = m->text[k] != NULL;

		for (int i = 0; below && i < level; i++)
			below = map[i] != NULL && strcmp(map[i], training_paths[first].map[i]) == 0;
		if (below && map[level] != NULL) {
			fprintf(f, "%*s%s:%s", column, "", map[level], yaml_edit_newline(e));
			put_entries(f, e, m, (enum training_key)k, level + 1, column + 2);
		} else if (below) {
			fprintf(f, "%*s%s: %s%s", column, "", training_paths[k].key, m->text[k], yaml_edit_newline(e));
			free(m->text[k]);
			m->text[k] = NULL;
		}
	}
}

/* Insert all keys of a missing map, below the last existing map on the way to it. */
static void
insert_map(const struct training *t, struct edits *e, struct missing *m, enum training_key first)
{
	const struct yaml *parent = t->root;
	const char *const *map = training_paths[first].map;
	struct yaml_span of_key, of_item;
	int level = 0, column = 0, i = -1;
	char *lines = NULL;
	size_t size, at;
	FILE *f = memstream_open(&lines, &size);

	for (; (i = yaml_find(parent, map[level])) >= 0 && parent->item[i]->type == YAML_MAP; level++)
		parent = parent->item[i];
	if (parent->flow) {
		insert_in_braces(e, m, parent, first, map + level);
		memstream_close(f);
		free(lines);
		return;
	}
	if (i >= 0) {
		/* "name:" without a value. */
		column = yaml_edit_column(e, parent->key_span[i].start) + 2;
		at = yaml_edit_next_line(e, parent->key_span[i].end);
		level++;
	} else {
		yaml_edit_last(parent, NULL, &of_key, &of_item);
		column = parent == t->root ? 0 : yaml_edit_column(e, of_key.start);
		at = parent == t->root ? t->length : yaml_edit_next_line(e, of_item.end);
	}
	if (map[level] != NULL) {
		fprintf(f, "%*s%s:%s", column, "", map[level], yaml_edit_newline(e));
		put_entries(f, e, m, first, level + 1, column + 2);
	} else {
		put_entries(f, e, m, first, level, column);
	}
	memstream_close(f);
	yaml_edit_lines(e, at, lines);
	free(lines);
}

/* A map behind an alias belongs to its anchor: an edit would change others also. */
static void
refuse_alias(const struct training *t, enum training_key key)
{
	const struct yaml *map = t->root;

	for (int level = 0; training_paths[key].map[level] != NULL; level++) {
		int i = yaml_find(map, training_paths[key].map[level]);

		if (i < 0 || map->item[i]->type != YAML_MAP)
			return;
		if (map->item_span[i].start != map->item[i]->span.start)
			place_die(map->key_place[i],
			    "'%s' is an alias; write the map itself in its place first", map->key[i]);
		map = map->item[i];
	}
}

void
missing_insert(struct missing *m, const struct training *t, struct edits *e)
{
	/* First keys of existing maps: at the end of the file a new map would swallow them. */
	for (int k = 0; k < TRAINING_KEYS; k++) {
		const struct yaml *map = training_map(t, (enum training_key)k);
		struct yaml_span of_key, of_item;

		if (m->text[k] == NULL)
			continue;
		refuse_alias(t, (enum training_key)k);
		if (map == NULL || map->type != YAML_MAP ||
		    (!map->flow && !yaml_edit_last(map, NULL, &of_key, &of_item)))
			continue;
		yaml_edit_entry(e, map, follows[k], training_paths[k].key, m->text[k]);
		free(m->text[k]);
		m->text[k] = NULL;
	}
	for (int k = 0; k < TRAINING_KEYS; k++)
		if (m->text[k] != NULL)
			insert_map(t, e, m, (enum training_key)k);
}
