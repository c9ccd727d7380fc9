#include "change.h"

#include <stdbool.h>
#include <string.h>

uint64_t text_seed = 1;

static size_t
below(size_t n)
{
	text_seed ^= text_seed << 13;
	text_seed ^= text_seed >> 7;
	text_seed ^= text_seed << 17;
	return n > 0 ? (size_t)(text_seed >> 11) % n : 0;
}

/* Replace LENGTH bytes by N other bytes. */
static void
put(struct text *t, size_t from, size_t length, const char *what, size_t n)
{
	if (t->n - length + n > TEXT_LONGEST)
		return;
	memmove(t->at + from + n, t->at + from + length, t->n - from - length);
	memcpy(t->at + from, what, n);
	t->n = t->n - length + n;
}

/* Find the word, or with LINES the line, at a random place; return its length, set FROM. */
static size_t
any(const struct text *t, bool lines, size_t *from)
{
	const char *ends = lines ? "\n" : " \t\r\n,:;=()[]{}\"'/";
	size_t to = below(t->n);

	*from = to;
	while (*from > 0 && strchr(ends, t->at[*from - 1]) == NULL)
		--*from;
	while (to < t->n && strchr(ends, t->at[to]) == NULL)
		to++;
	return to - *from + (lines && to < t->n);
}

static void
spoil(struct text *t)
{
	static const char *const words[] = { "0", "-1", "1", "2", "1.5", "1e400", "-0", "0x10", "4096",
		"99999999999999999999", "nan", "x", "", "null", "true", "False", "[]", "{}", "[1, 2]", "[[1], [2]]",
		"{a: 1}", "\"", "'", "None", "-", "*", "&a", "\xc3\xa4", "\xff", "\x1b[31m", "..", "/" };
	static const char letters[] = " \t\r\n\"'{}[](),:;-+#%$\\=<>|&*!?/._019aZ\x01\x7f\xff";
	char copy[TEXT_LONGEST];
	size_t from, length, to;

	switch (below(8)) {
	case 0:	/* another word, or none */
		length = any(t, false, &from);
		to = below(sizeof words / sizeof words[0]);
		put(t, from, length, words[to], strlen(words[to]));
		break;
	case 1:	/* a letter added */
		put(t, below(t->n + 1), 0, letters + below(sizeof letters), 1);
		break;
	case 2:	/* some letters removed */
		from = below(t->n);
		length = 1 + below(4);
		put(t, from, length < t->n - from ? length : t->n - from, "", 0);
		break;
	case 3:	/* a line removed */
		length = any(t, true, &from);
		put(t, from, length, "", 0);
		break;
	case 4:	/* a line repeated elsewhere */
		length = any(t, true, &from);
		memcpy(copy, t->at + from, length);
		any(t, true, &to);
		put(t, to, 0, copy, length);
		break;
	case 5:	/* a word replaced by another */
		length = any(t, false, &from);
		memcpy(copy, t->at + from, length);
		to = any(t, false, &from);
		put(t, from, to, copy, length);
		break;
	case 6:	/* another letter */
		if (t->n > 0)
			t->at[below(t->n)] = letters[below(sizeof letters)];
		break;
	default:	/* truncated, sometimes */
		if (below(4) == 0)
			t->n = below(t->n + 1);
		break;
	}
}

/*
 * Repeat a word, with or without its separator, until it exceeds most limits: a name of many letters, a path of many
 * parts, a list of many numbers. The rest of the text stays unchanged.
 */
static void
lengthen(struct text *t)
{
	static const size_t lengths[] = { 20, 33, 64, 130, 300, 1100, 4200, 10000 };
	size_t from, length = any(t, false, &from), to = lengths[below(sizeof lengths / sizeof lengths[0])], n;
	char copy[TEXT_LONGEST];

	if (below(2) == 0 && from + length < t->n && t->at[from + length] != '\n')
		length++;
	if (length == 0 || t->n + to + length > TEXT_LONGEST)
		return;
	for (n = 0; n < to; n += length)
		memcpy(copy + n, t->at + from, length);
	put(t, from, 0, copy, n);
}

void
text_change(struct text *t)
{
	size_t kind = below(4);	/* 0: a long field; 1: a long field and mistakes; else mistakes */

	for (size_t n = kind > 1 ? 0 : 1 + below(2); n > 0; n--)
		lengthen(t);
	for (size_t n = kind == 0 ? 0 : 1 + below(3); n > 0; n--)
		spoil(t);
}
