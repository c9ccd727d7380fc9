#include "yaml_edit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/alloc.h"
#include "lib/base/memstream.h"

/* Replace the bytes from START to before END in *TEXT. */
static void
replace(char **text, size_t *length, size_t start, size_t end, const char *new)
{
	char *all = NULL;
	size_t size;
	FILE *f = memstream_open(&all, &size);

	fwrite(*text, 1, start, f);
	fputs(new, f);
	fwrite(*text + end, 1, *length - end, f);
	memstream_close(f);
	free(*text);
	*text = all;
	*length = size;
}

/* Return the column of a byte in its line. */
static int
column_of(const char *text, size_t at)
{
	int column = 0;

	for (; at > 0 && text[at - 1] != '\n'; at--)
		column++;
	return column;
}

static const char *
newline(const char *text, size_t length)
{
	const char *end = memchr(text, '\n', length);

	return end != NULL && end > text && end[-1] == '\r' ? "\r\n" : "\n";
}

/* Insert whole lines after the line of the byte AT. If AT is at the start of a line, insert them there. */
static void
insert_lines(char **text, size_t *length, size_t at, const char *lines)
{
	char *all;

	while (at > 0 && at < *length && (*text)[at - 1] != '\n')
		at++;
	all = xasprintf("%s%s", at > 0 && (*text)[at - 1] != '\n' ? newline(*text, *length) : "", lines);
	replace(text, length, at, at, all);
	free(all);
}

/* Get the last entry that the map itself has, which may be a '<<'. Return false if it has none. */
static bool
last_entry(const struct yaml *map, struct yaml_span *key, struct yaml_span *item)
{
	int i = map->n - 1;

	while (i >= 0 && map->item_span[i].end == 0)
		i--;
	*key = i >= 0 ? map->key_span[i] : map->merge_key;
	*item = i >= 0 ? map->item_span[i] : map->merge_item;
	return item->end != 0;
}

/* Warn that the values *name will change with &name. */
static void
warn_of_aliases(const char *text, size_t length, const struct yaml *node)
{
	const char *anchor = text + node->span.start + 1;
	size_t n = strcspn(anchor, " \t\r\n,[]{}");
	long line = 1;

	for (size_t i = 0; text[node->span.start] == '&' && i + n < length; i++) {
		line += text[i] == '\n';
		if (text[i] == '*' && memcmp(text + i + 1, anchor, n) == 0 && i > 0 &&
		    strchr(" \t[{,:", text[i - 1]) != NULL &&
		    (i + 1 + n == length || strchr(" \t\r\n,]}", text[i + 1 + n]) != NULL))
			place_warn((struct place){ node->place.source, line },
			    "'*%.*s' changes too, as it refers to the anchor on line %ld", (int)n, anchor,
			    node->place.line);
	}
}

/* Return whether two trees are equal. */
static bool
same_value(const struct yaml *a, const struct yaml *b)
{
	bool same = a->type == b->type && (a->type == YAML_SCALAR || a->n == b->n);

	if (same && a->type == YAML_SCALAR)
		return strcmp(a->text, b->text) == 0 ||
		    (yaml_is_bool(a) && yaml_is_bool(b) && yaml_bool(a, "") == yaml_bool(b, ""));
	for (int i = 0; same && i < a->n; i++)
		same = same_value(a->item[i], b->item[i]) &&
		    (a->type != YAML_MAP || strcmp(a->key[i], b->key[i]) == 0);
	return same;
}

static bool
is_value(const struct yaml *node, const char *key, const char *value)
{
	struct yaml *new = yaml_parse(value, strlen(value), key);
	bool same = same_value(node, new);

	yaml_release(new);
	return same;
}

static void
set_value(char **text, size_t *length, const struct yaml *map, int i, const char *value)
{
	const char *t = *text, *divider = ":";
	size_t start = map->key_span[i].end, end = map->item_span[i].end, at = map->item_span[i].start;
	char *all;

	for (int k = 0; k < map->repeats; k++)
		if (strcmp(map->repeated[k], map->key[i]) == 0)
			place_die(map->key_place[i], "a duplicate key: remove one of the two before editing '%s'",
			    map->key[i]);
	if (map->item[i]->anchored && at == map->item[i]->span.start)
		warn_of_aliases(t, *length, map->item[i]);
	/* An anchor and a tag stay. */
	while (at < end && (t[at] == '&' || t[at] == '!')) {
		while (at < end && strchr(" \t\r\n", t[at]) == NULL)
			at++;
		start = at;
		divider = "";
		while (at < end && strchr(" \t\r\n", t[at]) != NULL)
			at++;
	}
	all = xasprintf("%s %s", divider, value);
	replace(text, length, start, end, all);
	free(all);
}

void
yaml_edit_entry(char **text, size_t *length, const struct yaml *map, int i, const char *key, const char *value)
{
	struct yaml_span of_key, of_item;
	bool any = last_entry(map, &of_key, &of_item);
	size_t at = any ? of_item.end : map->span.end - 1;
	char *new;

	if (i >= 0 && is_value(map->item[i], key, value)) {
		return;
	} else if (i >= 0 && map->item_span[i].end != 0) {
		set_value(text, length, map, i, value);
	} else if (map->flow) {
		new = xasprintf("%s%s: %s", any ? ", " : "", key, value);
		replace(text, length, at, at, new);
		free(new);
	} else if (any) {
		new = xasprintf("%*s%s: %s%s", column_of(*text, of_key.start), "", key, value, newline(*text, *length));
		insert_lines(text, length, at, new);
		free(new);
	} else {
		place_die(map->place, "cannot insert '%s': write the map as a block of lines first",
		    key);
	}
}

/* Return "a.b.c" as lines "a:", "b:" and "c: VALUE", each indented more than the one before. Caller frees. */
static char *
path_lines(const char *path, const char *value, int column, const char *newline)
{
	const char *dot;
	char *lines;
	size_t size;
	FILE *f = memstream_open(&lines, &size);

	for (; (dot = strchr(path, '.')) != NULL; path = dot + 1, column += 2)
		fprintf(f, "%*s%.*s:%s", column, "", (int)(dot - path), path, newline);
	fprintf(f, "%*s%s: %s%s", column, "", path, value, newline);
	memstream_close(f);
	return lines;
}

/* Return "b.c" as "{b: {c: VALUE}}". An empty PATH gives VALUE itself. Caller frees. */
static char *
in_braces(const char *path, const char *value)
{
	size_t n = strcspn(path, ".");
	char *inner, *all;

	if (*path == '\0')
		return xstrdup(value);
	inner = in_braces(path + n + (path[n] == '.'), value);
	all = xasprintf("{%.*s: %s}", (int)n, path, inner);
	free(inner);
	return all;
}

/* Add the entries of PATH. Either the map lacks the first name of PATH, or entry I has this name and no value. */
static void
add_path(char **text, size_t *length, const struct yaml *map, int i, bool root, const char *path, const char *value)
{
	size_t n = strcspn(path, ".");
	struct yaml_span key, item;
	char *name = xstrndup(path, n), *all;

	if (map->flow) {
		if (i >= 0)
			place_die(map->place, "'%s' is empty: add '%s' by hand", name, path + n + 1);
		all = in_braces(path + n + (path[n] == '.'), value);
		yaml_edit_entry(text, length, map, -1, name, all);
	} else if (i >= 0) {
		all = path_lines(path + n + 1, value, column_of(*text, map->key_span[i].start) + 2,
		    newline(*text, *length));
		insert_lines(text, length, map->key_span[i].end, all);
	} else {
		if (!last_entry(map, &key, &item))
			place_die(map->place, "cannot insert '%s': write the map as a block of lines first", path);
		all = path_lines(path, value, root ? 0 : column_of(*text, key.start), newline(*text, *length));
		insert_lines(text, length, root && path[n] == '.' ? *length : item.end, all);
	}
	free(all);
	free(name);
}

void
yaml_edit_set(char **text, size_t *length, const char *source, const char *key, const char *value)
{
	struct yaml *root = yaml_parse_loaded(*text, *length, source, false);
	const struct yaml *map = root, *item;
	const char *rest = key;
	int i;

	for (;; map = item, rest = strchr(rest, '.') + 1) {
		char *part = xstrndup(rest, strcspn(rest, "."));

		i = yaml_find(map, part);
		free(part);
		if (i < 0 || strchr(rest, '.') == NULL || yaml_is_null(map->item[i]))
			break;
		item = map->item[i];
		if (item->type != YAML_MAP)
			place_die(map->key_place[i], "'%s': expected a map with %s in it", map->key[i], key);
		if (map->item_span[i].start != item->span.start)
			place_die(map->key_place[i], "'%s' is an alias: replace it by the map first",
			    map->key[i]);
	}
	if (i >= 0 && strchr(rest, '.') == NULL)
		yaml_edit_entry(text, length, map, i, rest, value);
	else
		add_path(text, length, map, i, map == root, rest, value);
	yaml_release(root);
}
