#include "yaml_edit.h"

#include <stdlib.h>
#include <string.h>

#include "lib/base/alloc.h"
#include "lib/base/memstream.h"

int
yaml_edit_column(const struct edits *e, size_t at)
{
	int column = 0;

	for (; at > 0 && e->text[at - 1] != '\n'; at--)
		column++;
	return column;
}

const char *
yaml_edit_newline(const struct edits *e)
{
	const char *end = memchr(e->text, '\n', e->length);

	return end != NULL && end > e->text && end[-1] == '\r' ? "\r\n" : "\n";
}

size_t
yaml_edit_next_line(const struct edits *e, size_t at)
{
	if (at > 0 && e->text[at - 1] == '\n')
		return at;
	while (at < e->length && e->text[at] != '\n')
		at++;
	return at < e->length ? at + 1 : at;
}

size_t
yaml_edit_start(const struct edits *e, struct yaml_span span)
{
	size_t at = span.start;

	while (at < span.end && (e->text[at] == '&' || e->text[at] == '!')) {
		while (at < span.end && strchr(" \t\r\n", e->text[at]) == NULL)
			at++;
		while (at < span.end && strchr(" \t\r\n", e->text[at]) != NULL)
			at++;
	}
	return at;
}

bool
yaml_edit_last(const struct yaml *map, const char *name, struct yaml_span *key, struct yaml_span *item)
{
	int i = name == NULL ? -1 : yaml_find(map, name);

	if (i < 0 || map->item_span[i].end == 0)
		for (i = map->n - 1; i >= 0 && map->item_span[i].end == 0; i--)
			;
	*key = i >= 0 ? map->key_span[i] : map->merge_key;
	*item = i >= 0 ? map->item_span[i] : map->merge_item;
	return item->end != 0;
}

void
yaml_edit_lines(struct edits *e, size_t at, const char *lines)
{
	bool cut = at > 0 && e->text[at - 1] != '\n';

	for (size_t i = 0; i < e->n; i++)
		/* A preceding edit has ended the last line. */
		cut &= e->at[i].start != at || *e->at[i].text == '\0' ||
		    e->at[i].text[strlen(e->at[i].text) - 1] != '\n';
	edits_add(e, at, at, xasprintf("%s%s", cut ? yaml_edit_newline(e) : "", lines));
}

void
yaml_edit_entry(struct edits *e, const struct yaml *map, const char *after, const char *key, const char *text)
{
	struct yaml_span of_key, of_item;
	bool first = !yaml_edit_last(map, after, &of_key, &of_item);
	char *line;

	if (map->flow) {
		size_t at = first ? map->span.end - 1 : of_item.end;

		/* In an empty map, insert after entries already added. */
		for (size_t k = 0; k < e->n; k++)
			first &= e->at[k].start != at;
		edits_add(e, at, at, xasprintf("%s%s: %s", first ? "" : ", ", key, text));
		return;
	}
	line = xasprintf("%*s%s: %s%s", yaml_edit_column(e, of_key.start), "", key, text, yaml_edit_newline(e));
	yaml_edit_lines(e, yaml_edit_next_line(e, of_item.end), line);
	free(line);
}

void
yaml_edit_value(struct edits *e, const struct yaml *map, int i, const char *text)
{
	struct yaml_span span = map->item_span[i];
	size_t start = yaml_edit_start(e, span);

	if (span.end == 0)
		place_die(map->item[i]->place, "%s: it came with a '<<': write it in its place first", map->key[i]);
	if (map->item[i]->type != YAML_SCALAR || span.start == span.end)
		edits_add(e, map->key_span[i].end, span.end, xasprintf(": %s", text));
	else
		edits_add(e, start, span.end, xasprintf("%s%s", start == span.end ? " " : "", text));
}

/* Write "a.b.c" as lines "a:", "b:" and "c: VALUE", each indented further. */
static void
put_path(FILE *f, const char *path, const char *value, int column, const char *newline)
{
	const char *dot;

	for (; (dot = strchr(path, '.')) != NULL; path = dot + 1, column += 2)
		fprintf(f, "%*s%.*s:%s", column, "", (int)(dot - path), path, newline);
	fprintf(f, "%*s%s: %s%s", column, "", path, value, newline);
}

void
yaml_edit_set(char **text, size_t *length, const char *source, const char *key, const char *value)
{
	struct edits e = { .text = *text, .length = *length };
	struct yaml *root = yaml_parse(*text, *length, source);
	const struct yaml *map = root;
	const char *rest = key;
	char *part, *lines, *new;
	size_t size;
	int i;

	for (;; map = map->item[i], rest = strchr(rest, '.') + 1) {
		part = xstrndup(rest, strcspn(rest, "."));
		i = yaml_find(map, part);
		if (i < 0 || strchr(rest, '.') == NULL)
			break;
		if (map->item[i]->type != YAML_MAP)
			place_die(map->key_place[i], "'%s' is no map, which %s stands in", part, key);
		free(part);
	}
	free(part);
	if (i >= 0) {
		yaml_edit_value(&e, map, i, value);
	} else {
		struct yaml_span of_key, of_item;
		bool any = yaml_edit_last(map, NULL, &of_key, &of_item);
		FILE *f = memstream_open(&lines, &size);

		if (map->flow || !any)
			place_die(map->place, "no place for '%s': write it in a block of lines first", key);
		put_path(f, rest, value, yaml_edit_column(&e, of_key.start), yaml_edit_newline(&e));
		memstream_close(f);
		yaml_edit_lines(&e, map == root ? *length : yaml_edit_next_line(&e, of_item.end), lines);
		free(lines);
	}
	new = edits_apply(&e, length);
	edits_free(&e);
	yaml_release(root);
	free(*text);
	*text = new;
}
