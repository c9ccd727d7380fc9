#include "yaml_edit.h"

#include <stdlib.h>
#include <string.h>

#include "lib/base/alloc.h"
#include "lib/base/memstream.h"

void
edits_add(struct edits *e, size_t start, size_t end, char *text)
{
	size_t i = e->n++;

	e->at = xreallocarray(e->at, e->n, sizeof *e->at);
	/* Kept in order; few enough for insertion. */
	for (; i > 0 && e->at[i - 1].start > start; i--)
		e->at[i] = e->at[i - 1];
	e->at[i] = (struct edit){ start, end, text };
}

char *
edits_apply(struct edits *e, size_t *length)
{
	char *out = NULL;
	FILE *f = memstream_open(&out, length);
	size_t at = 0;

	for (size_t i = 0; i < e->n; i++) {
		fwrite(e->text + at, 1, e->at[i].start - at, f);
		fputs(e->at[i].text, f);
		at = e->at[i].end;
	}
	fwrite(e->text + at, 1, e->length - at, f);
	memstream_close(f);
	return out;
}

void
edits_free(struct edits *e)
{
	for (size_t i = 0; i < e->n; i++)
		free(e->at[i].text);
	free(e->at);
	*e = (struct edits){ 0 };
}

int
yaml_column(const char *text, size_t at)
{
	int column = 0;

	while (at > 0 && text[at - 1] != '\n') {
		at--;
		column++;
	}
	return column;
}

const char *
yaml_newline(const struct edits *e)
{
	const char *end = memchr(e->text, '\n', e->length);

	return end != NULL && end > e->text && end[-1] == '\r' ? "\r\n" : "\n";
}

size_t
yaml_next_line(const struct edits *e, size_t at)
{
	if (at > 0 && e->text[at - 1] == '\n')
		return at;
	while (at < e->length && e->text[at] != '\n')
		at++;
	return at < e->length ? at + 1 : at;
}

void
yaml_insert_lines(struct edits *e, size_t at, const char *lines)
{
	bool cut = at > 0 && e->text[at - 1] != '\n';

	for (size_t i = 0; i < e->n; i++)
		/* A line before this one has ended the last. */
		cut &= e->at[i].start != at || *e->at[i].text == '\0' ||
		    e->at[i].text[strlen(e->at[i].text) - 1] != '\n';
	edits_add(e, at, at, xasprintf("%s%s", cut ? yaml_newline(e) : "", lines));
}

int
yaml_last_written(const struct yaml *map, const char *name)
{
	int i = name == NULL ? -1 : yaml_find(map, name);

	if (i >= 0 && map->item_span[i].end != 0)
		return i;
	for (i = map->n - 1; i >= 0 && map->item_span[i].end == 0; i--)
		;
	return i;
}

void
yaml_insert_entry(struct edits *e, const struct yaml *map, const char *after, const char *key, const char *text)
{
	int i = yaml_last_written(map, after);
	char *line;

	if (map->flow) {
		size_t at = i >= 0 ? map->item_span[i].end : map->span.end - 1;

		edits_add(e, at, at, xasprintf("%s%s: %s", i >= 0 ? ", " : "", key, text));
		return;
	}
	line = xasprintf("%*s%s:%s%s%s", yaml_column(e->text, map->key_span[i].start), "", key,
	    strchr("\r\n", *text) != NULL ? "" : " ", text, yaml_newline(e));
	yaml_insert_lines(e, yaml_next_line(e, map->item_span[i].end), line);
	free(line);
}
