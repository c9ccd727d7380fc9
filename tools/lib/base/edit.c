#include "edit.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "alloc.h"
#include "memstream.h"

void
edits_add(struct edits *e, size_t start, size_t end, char *text)
{
	size_t i = e->n++;

	e->at = xreallocarray(e->at, e->n, sizeof *e->at);
	/* Keep the edits sorted, insertions before replacements at the same place. Insertion sort: few edits. */
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

/* A hunk: lines [from, to) of the old text become TEXT. */
struct hunk {
	size_t start, end;	/* bytes, whole lines */
	long from, to;		/* lines */
	char *text;
	size_t length;
};

static size_t
line_start(const char *text, size_t at)
{
	while (at > 0 && text[at - 1] != '\n')
		at--;
	return at;
}

static size_t
line_end(const char *text, size_t length, size_t at)
{
	while (at < length && text[at] != '\n')
		at++;
	return at < length ? at + 1 : length;
}

static long
lines(const char *text, size_t length)
{
	long n = 0;

	for (size_t i = 0; i < length; i++)
		n += text[i] == '\n';
	return n + (length > 0 && text[length - 1] != '\n');
}

/* Return the end of the last line changed by an edit; inserting whole lines changes no line. */
static size_t
touched_end(const struct edit *e, const char *text, size_t length)
{
	bool between = e->start == e->end && line_start(text, e->start) == e->start;

	return between ? e->start : line_end(text, length, e->end);
}

/* Lines at either end of a hunk that stay as they are do not belong to it. */
static void
hunk_trim(struct hunk *h, const char *text)
{
	size_t same = 0, end;

	while (h->start < h->end) {
		end = line_end(text, h->end, h->start) - h->start;
		if (text[h->start + end - 1] != '\n' || end > h->length - same ||
		    memcmp(text + h->start, h->text + same, end) != 0)
			break;
		h->start += end;
		same += end;
	}
	h->length -= same;
	memmove(h->text, h->text + same, h->length);
	while (h->start < h->end && h->length > 0) {
		end = h->end - line_start(text, h->end - 1);
		if (end > h->length || memcmp(text + h->end - end, h->text + h->length - end, end) != 0 ||
		    line_start(h->text, h->length - 1) != h->length - end)
			break;
		h->end -= end;
		h->length -= end;
	}
}

/* Merge edits of the same line or of adjacent lines into one hunk. */
static size_t
hunks_make(const struct edits *e, struct hunk *h)
{
	const char *text = e->text;
	size_t n = 0, length = e->length;

	for (size_t i = 0; i < e->n;) {
		size_t j = i, at;
		FILE *f;

		h[n].start = line_start(text, e->at[i].start);
		h[n].end = touched_end(&e->at[i], text, length);
		while (++j < e->n && e->at[j].start <= h[n].end)
			if (touched_end(&e->at[j], text, length) > h[n].end)
				h[n].end = touched_end(&e->at[j], text, length);
		f = memstream_open(&h[n].text, &h[n].length);
		for (at = h[n].start; i < j; at = e->at[i++].end) {
			fwrite(text + at, 1, e->at[i].start - at, f);
			fputs(e->at[i].text, f);
		}
		fwrite(text + at, 1, h[n].end - at, f);
		memstream_close(f);
		hunk_trim(&h[n], text);
		h[n].from = lines(text, h[n].start);
		h[n].to = h[n].from + lines(text + h[n].start, h[n].end - h[n].start);
		n++;
	}
	return n;
}

static void
print_lines(FILE *f, char sign, const char *text, size_t length)
{
	for (size_t at = 0; at < length;) {
		size_t end = line_end(text, length, at);

		putc(sign, f);
		fwrite(text + at, 1, end - at, f);
		if (text[end - 1] != '\n')
			fputs("\n\\ No newline at end of file\n", f);
		at = end;
	}
}

enum { CONTEXT = 3 };

/* Move over N lines backwards or forwards. */
static size_t
back(const char *text, size_t at, long n)
{
	while (n-- > 0 && at > 0)
		at = line_start(text, at - 1);
	return at;
}

static size_t
forth(const char *text, size_t length, size_t at, long n)
{
	while (n-- > 0 && at < length)
		at = line_end(text, length, at);
	return at;
}

void
edits_diff(const struct edits *e, const char *path, FILE *f)
{
	const char *text = e->text;
	struct hunk *h = xcalloc(e->n + 1, sizeof *h);
	size_t length = e->length, n = hunks_make(e, h);
	long shift = 0;

	if (n > 0)
		fprintf(f, "--- %s\n+++ %s\n", path, path);
	for (size_t i = 0; i < n;) {
		size_t j = i + 1, start = back(text, h[i].start, CONTEXT), at = start, end;
		long old, new;

		while (j < n && h[j].from - h[j - 1].to <= 2 * CONTEXT)
			j++;
		end = forth(text, length, h[j - 1].end, CONTEXT);
		old = new = lines(text + start, end - start);
		for (size_t k = i; k < j; k++)
			new += lines(h[k].text, h[k].length) - (h[k].to - h[k].from);
		fprintf(f, "@@ -%ld,%ld +%ld,%ld @@\n", lines(text, start) + (old > 0), old,
		    lines(text, start) + shift + (new > 0), new);
		shift += new - old;
		for (; i < j; i++) {
			print_lines(f, ' ', text + at, h[i].start - at);
			print_lines(f, '-', text + h[i].start, h[i].end - h[i].start);
			print_lines(f, '+', h[i].text, h[i].length);
			at = h[i].end;
		}
		print_lines(f, ' ', text + at, end - at);
	}
	for (size_t i = 0; i < n; i++)
		free(h[i].text);
	free(h);
}

void
edits_free(struct edits *e)
{
	for (size_t i = 0; i < e->n; i++)
		free(e->at[i].text);
	free(e->at);
	*e = (struct edits){ 0 };
}
