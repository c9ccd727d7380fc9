#include "edit.h"

#include <stdlib.h>
#include <string.h>

#include "alloc.h"
#include "memstream.h"

void
edits_add(struct edits *e, size_t start, size_t end, char *text)
{
	size_t i = e->n++;

	e->at = xreallocarray(e->at, e->n, sizeof *e->at);
	/*
	 * Keep the edits sorted by place. At the same place insertions come first. Insertion sort is enough for few
	 * edits.
	 */
	for (; i > 0 && (e->at[i - 1].start > start || (e->at[i - 1].start == start && e->at[i - 1].end > end)); i--)
		e->at[i] = e->at[i - 1];
	e->at[i] = (struct edit){ start, end, text };
}

char *
edits_apply(const struct edits *e, size_t *new_length)
{
	const char *text = e->text;
	char *out = NULL;
	FILE *f = memstream_open(&out, new_length);
	size_t at = 0;

	for (size_t i = 0; i < e->n; i++) {
		if (e->at[i].start < at)
			abort();
		fwrite(text + at, 1, e->at[i].start - at, f);
		fputs(e->at[i].text, f);
		at = e->at[i].end;
	}
	fwrite(text + at, 1, e->length - at, f);
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
