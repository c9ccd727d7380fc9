#include "diff.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "alloc.h"

enum { CONTEXT = 3 };

struct text_lines {
	const char *text;
	long n;
	size_t *start;		/* [n + 1], offset of each line */
};

/* The lines FROM to before TO of the old text become the lines NEW to before NEW_TO of the new text. */
struct hunk {
	long from, to, new, new_to;
};

static struct text_lines
lines_of(const char *text, size_t length)
{
	struct text_lines l = { .text = text };
	long room = 0;

	for (size_t at = 0; at < length; l.n++) {
		const char *end = memchr(text + at, '\n', length - at);

		*APPEND(l.start, room) = at;
		at = end != NULL ? (size_t)(end + 1 - text) : length;
	}
	*APPEND(l.start, room) = length;
	return l;
}

static bool
same_line(const struct text_lines *a, long i, const struct text_lines *b, long j)
{
	size_t n = a->start[i + 1] - a->start[i];

	return b->start[j + 1] - b->start[j] == n && memcmp(a->text + a->start[i], b->text + b->start[j], n) == 0;
}

/* Find the next hunk, from line I of A and line J of B on. The hunk ends at the first lines that are equal. */
static bool
next_hunk(const struct text_lines *a, const struct text_lines *b, long i, long j, struct hunk *h)
{
	while (i < a->n && j < b->n && same_line(a, i, b, j)) {
		i++;
		j++;
	}
	if (i == a->n && j == b->n)
		return false;
	*h = (struct hunk){ i, a->n, j, b->n };
	for (long skipped = 1; i + j + skipped < a->n + b->n; skipped++)
		for (long k = 0; k <= skipped; k++)
			if (i + k < a->n && j + skipped - k < b->n && same_line(a, i + k, b, j + skipped - k)) {
				h->to = i + k;
				h->new_to = j + skipped - k;
				return true;
			}
	return true;
}

static void
put_lines(FILE *f, char sign, const struct text_lines *l, long from, long to)
{
	for (long i = from; i < to; i++) {
		putc(sign, f);
		fwrite(l->text + l->start[i], 1, l->start[i + 1] - l->start[i], f);
		if (l->text[l->start[i + 1] - 1] != '\n')
			fputs("\n\\ No newline at end of file\n", f);
	}
}

void
diff_print(FILE *f, const char *path, const char *old, size_t old_length, const char *new, size_t new_length)
{
	struct text_lines a = lines_of(old, old_length), b = lines_of(new, new_length);
	struct hunk h = { 0 }, *all = NULL;
	size_t n = 0;

	while (next_hunk(&a, &b, h.to, h.new_to, &h))
		*APPEND(all, n) = h;
	if (n > 0)
		fprintf(f, "--- %s\n+++ %s\n", path, path);
	for (size_t i = 0, j; i < n; i = j) {
		long start = all[i].from > CONTEXT ? all[i].from - CONTEXT : 0, end, shift, at = start;

		for (j = i + 1; j < n && all[j].from - all[j - 1].to <= 2 * CONTEXT; j++)
			continue;
		end = all[j - 1].to + CONTEXT < a.n ? all[j - 1].to + CONTEXT : a.n;
		shift = all[i].new - all[i].from;
		fprintf(f, "@@ -%ld,%ld +%ld,%ld @@\n", start + (end > start), end - start,
		    start + shift + (end + all[j - 1].new_to - all[j - 1].to > start + shift), end - start - shift +
		    all[j - 1].new_to - all[j - 1].to);
		for (size_t k = i; k < j; k++) {
			put_lines(f, ' ', &a, at, all[k].from);
			put_lines(f, '-', &a, all[k].from, all[k].to);
			put_lines(f, '+', &b, all[k].new, all[k].new_to);
			at = all[k].to;
		}
		put_lines(f, ' ', &a, at, end);
	}
	free(all);
	free(a.start);
	free(b.start);
}
