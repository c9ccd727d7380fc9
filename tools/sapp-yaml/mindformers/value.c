/* Replace values in the text of a training YAML, and nothing else. */
#include "value.h"

#include <stdlib.h>
#include <string.h>

#include "lib/base/alloc.h"

void
value_warn_of_aliases(const struct training *t, const struct yaml *node)
{
	const char *anchor = t->text + node->span.start + 1;
	size_t n = strcspn(anchor, " \t\r\n,[]{}"), before;
	long line = 1;

	if (!node->anchored || t->text[node->span.start] != '&')
		return;
	for (size_t i = 0; i + n < t->length; i++) {
		line += t->text[i] == '\n';
		before = i > 0 ? i - 1 : 0;
		if (t->text[i] == '*' && memcmp(t->text + i + 1, anchor, n) == 0 &&
		    strchr(" \t[{,:", t->text[before]) != NULL
		    && (i + 1 + n == t->length || strchr(" \t\r\n,]}", t->text[i + 1 + n]) != NULL))
			place_warn((struct place){ t->path, line },
			    "'*%.*s' changes with its anchor on line %ld", (int)n, anchor, node->place.line);
	}
}

/* Drop the comment after AT on its line, and the blanks before it. */
static void
drop_comment(const struct update *u, size_t at)
{
	const char *text = u->t->text;
	char quote = '\0';
	size_t begin, end = at;

	for (; end < u->t->length && text[end] != '\n' && (quote != '\0' || text[end] != '#' || end == 0 ||
	    strchr(" \t", text[end - 1]) == NULL); end++)
		if (text[end] == quote)
			quote = '\0';
		else if (quote == '\0' && (text[end] == '"' || text[end] == '\'') && strchr(" \t,[{", text[end - 1]))
			quote = text[end];
	if (end == u->t->length || text[end] == '\n')
		return;
	for (begin = end; begin > at && strchr(" \t", text[begin - 1]) != NULL; begin--)
		;
	while (end < u->t->length && text[end] != '\n' && text[end] != '\r')
		end++;
	for (size_t i = 0; i < u->edits->n; i++)
		if (u->edits->at[i].end == end)
			return;
	edits_add(u->edits, begin, end, xstrdup(""));
}

/* Move whole-line comments within a value before it. */
static void
keep_comments(const struct update *u, size_t start, size_t end)
{
	const char *text = u->t->text;
	size_t before = start - (size_t)yaml_edit_column(u->edits, start);

	for (size_t at = start, next; at < end; at = next) {
		const char *line = memchr(text + at, '\n', end - at), *stop;
		size_t blank;

		if (line == NULL)
			return;
		next = (size_t)(line - text) + 1;
		blank = strspn(text + next, " \t");
		stop = memchr(text + next, '\n', u->t->length - next);
		if (text[next + blank] == '#' && stop != NULL && (size_t)(stop - text) < end)
			edits_add(u->edits, before, before, xstrndup(text + next, (size_t)(stop - text) + 1 - next));
	}
}

void
value_replace(const struct update *u, const struct yaml *value, struct yaml_span span, struct yaml_span key, char *text)
{
	size_t start = yaml_edit_start(u->edits, span);
	bool alias = span.start != value->span.start;
	int key_column = key.end != 0 ? yaml_edit_column(u->edits, key.start) : 0;

	drop_comment(u, span.end);
	if (key.end != 0 && memchr(u->t->text + key.end, '\n', start - key.end) != NULL)
		drop_comment(u, key.end);
	keep_comments(u, start, span.end);

	if (alias)
		start = span.start;
	else if (value->anchored)
		value_warn_of_aliases(u->t, value);
	/* "key:" or "key: &anchor" without a value, or a block list indented like its key. */
	if (start > 0 && strchr(" \t\r\n[{,", u->t->text[start - 1]) == NULL) {
		char *spaced = xasprintf(" %s", text);

		free(text);
		text = spaced;
	} else if (!alias && !value->flow && value->type != YAML_SCALAR &&
	    yaml_edit_column(u->edits, start) <= key_column) {
		char *deeper = xasprintf("%*s%s", key_column + 2 - yaml_edit_column(u->edits, start), "", text);

		free(text);
		text = deeper;
	}
	edits_add(u->edits, start, span.end, text);
}

void
value_refuse_repeated(const struct yaml *map, enum training_key key)
{
	const char *name = training_paths[key].key;

	for (int i = 0; map != NULL && i < map->repeats; i++)
		if (strcmp(map->repeated[i], name) == 0)
			place_die(map->key_place[yaml_find(map, name)],
			    "this key stands there a second time: leave one of them before it can be edited '%s'",
			    name);
}

void
value_update_word(const struct update *u, enum training_key key, const char *want, const char *missing,
    struct missing *m)
{
	const struct yaml *map = training_map(u->t, key), *value;
	int i = map == NULL ? -1 : yaml_find(map, training_paths[key].key);

	value = i < 0 ? NULL : map->item[i];
	if (value == NULL || (map->item_span[i].end == 0 && value->type != YAML_SCALAR)) {
		if (strcmp(want, missing) != 0)
			missing_add(m, key, xstrdup(want));
		return;
	}
	if (value->type == YAML_SCALAR && (strcmp(value->text, want) == 0 || (yaml_is_bool(value) &&
	    (strcmp(want, "True") == 0 || strcmp(want, "False") == 0) && yaml_bool(value, "") == (*want == 'T'))))
		return;
	/* Override a merged value. */
	if (map->item_span[i].end == 0) {
		missing_add(m, key, xstrdup(want));
		return;
	}
	value_refuse_repeated(map, key);
	value_replace(u, value, map->item_span[i], map->key_span[i], xstrdup(want));
}

/* Return whether two trees are equal. */
static bool
same_value(const struct yaml *a, const struct yaml *b)
{
	if (a->type != b->type || (a->type != YAML_SCALAR && a->n != b->n))
		return false;
	if (a->type == YAML_SCALAR)
		return strcmp(a->text, b->text) == 0 ||
		    (yaml_is_bool(a) && yaml_is_bool(b) && yaml_bool(a, "") == yaml_bool(b, ""));
	for (int i = 0; i < a->n; i++)
		if (!same_value(a->item[i], b->item[i]) || (a->type == YAML_MAP && strcmp(a->key[i], b->key[i]) != 0))
			return false;
	return true;
}

static bool
says_text(const struct yaml *value, const char *text)
{
	struct yaml *want = yaml_parse(text, strlen(text), "the plan");
	bool same = same_value(value, want);

	yaml_release(want);
	return same;
}

void
value_update_text(const struct update *u, enum training_key key, char *text, struct missing *m)
{
	const struct yaml *map = training_map(u->t, key);
	int i = map == NULL || map->type != YAML_MAP ? -1 : yaml_find(map, training_paths[key].key);

	if (i < 0 || map->item_span[i].end == 0) {
		missing_add(m, key, text);
		return;
	}
	if (says_text(map->item[i], text)) {
		free(text);
		return;
	}
	value_refuse_repeated(map, key);
	value_replace(u, map->item[i], map->item_span[i], map->key_span[i], text);
}
