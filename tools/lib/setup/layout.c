#include "layout.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/alloc.h"
#include "lib/base/memstream.h"

enum { LETTERS_MAX = 1000000 };

/* Write the first N bytes of TEXT to OUT, COUNT times. */
static void
repeat(FILE *out, const char *text, size_t n, long count, struct place at)
{
	if (count < 0 || (n > 0 && count > LETTERS_MAX / (long)n))
		place_die(at, "layout: repeated too often '%ld'", count);
	for (long i = 0; i < count; i++)
		fwrite(text, 1, n, out);
	if (ftell(out) > LETTERS_MAX)
		place_die(at, "layout: more than %d letters", LETTERS_MAX);
}

/* Read a factor such as "*12" at *TEXT and advance *TEXT. The default is 1. */
static long
times(const char **text)
{
	char *end;
	long n;

	if (**text != '*' || !isdigit((unsigned char)(*text)[1]))
		return 1;
	n = strtol(*text + 1, &end, 10);
	*text = end;
	return n;
}

/* Expand either the groups or the single letters. As in Megatron-LM, groups are expanded first. */
static char *
expand(const char *text, bool groups, struct place at)
{
	char *all = NULL;
	size_t size;
	FILE *out = memstream_open(&all, &size);

	while (*text != '\0') {
		const char *end = groups && *text == '(' ? strchr(text, ')') : NULL;

		if (end != NULL && end > text + 1 && end[1] == '*') {
			const char *group = text + 1;

			text = end + 1;
			repeat(out, group, (size_t)(end - group), times(&text), at);
		} else if (groups) {
			putc(*text++, out);
		} else {
			const char *letter = text++;

			repeat(out, letter, 1, times(&text), at);
		}
	}
	memstream_close(out);
	return all;
}

static char *
without_commas(const char *text)
{
	char *copy = xstrdup(text), *to = copy;

	for (const char *from = text; *from != '\0'; from++)
		if (*from != ',')
			*to++ = *from;
	*to = '\0';
	return copy;
}

/*
 * Read the name of a layer in a list at *TEXT, and advance *TEXT. The name may have quotes, or be an enum as Python
 * prints it. Return its letter.
 */
static char
word(const char **text, struct place at)
{
	static const struct { const char *name; char letter; } words[] = {
		{ "embedding", 'E' }, { "decoder", 't' }, { "mtp", 'm' }, { "loss", 'L' },
	};
	const char *p = *text, *end;

	p += strspn(p, "'\"<");
	if (strncmp(p, "LayerType.", 10) == 0)
		p += 10;
	end = p;
	while (isalpha((unsigned char)*end))
		end++;
	for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
		if (strlen(words[i].name) == (size_t)(end - p) && strncmp(p, words[i].name, (size_t)(end - p)) == 0) {
			*text = end + strspn(end, "'\">: 0123456789");
			return words[i].letter;
		}
	place_die(at, "layout: not one of embedding, decoder, mtp and loss '%.20s'", *text);
}

/* Convert a list such as "['embedding', 'decoder'] * 2" at *TEXT to letters, and advance *TEXT. */
static void
put_list(FILE *out, const char **text, struct place at)
{
	char *letters = NULL;
	size_t n;
	FILE *f = memstream_open(&letters, &n);
	const char *p = *text + 1;

	for (p += strspn(p, " ,"); *p != ']' && *p != '\0'; p += strspn(p, " ,"))
		putc(word(&p, at), f);
	memstream_close(f);
	if (*p == '\0')
		place_die(at, "layout: a list that does not end");
	p++;
	p += strspn(p, " ");
	if (*p == '*') {
		p++;
		p += strspn(p, " ");
		if (!isdigit((unsigned char)*p))
			place_die(at, "layout: no number after '*'");
		p--;
		repeat(out, letters, n, strtol(p + 1, (char **)&p, 10), at);
	} else {
		repeat(out, letters, n, 1, at);
	}
	free(letters);
	*text = p + strspn(p, " ");
}

/* Convert a layout that is a list of lists, as Python has it, to letters. */
static char *
from_lists(const char *text, struct place at)
{
	char *letters = NULL;
	size_t n;
	FILE *out = memstream_open(&letters, &n);
	bool first = true;

	for (text += 1 + strspn(text + 1, " "); *text == '['; text += strspn(text, " ,"), first = false) {
		if (!first)
			putc('|', out);
		put_list(out, &text, at);
		while (*text == '+') {
			text += 1 + strspn(text + 1, " ");
			if (*text != '[')
				place_die(at, "layout: no list after '+'");
			put_list(out, &text, at);
		}
	}
	if (*text != ']')
		place_die(at, "layout: expected a list with one list per piece '%.20s'", text);
	memstream_close(out);
	return letters;
}

void
layout_read(const char *text, int stages, struct grid *layers, struct grid *extra, struct place at)
{
	char *plain = *text == '[' ? from_lists(text, at) : without_commas(text);
	char *groups = expand(plain, true, at), *letters = expand(groups, false, at);
	size_t n = strlen(letters);
	int pieces = 1, piece = 0, seen = 0;

	for (size_t i = 0; i < n; i++) {
		if (strchr("EtmL|", letters[i]) == NULL)
			place_die(at, "layout: not one of E, t, m, L and '|' '%c'", letters[i]);
		pieces += letters[i] == '|';
	}
	if (pieces % stages != 0)
		place_die(at, "layout: %d pieces cannot be divided evenly over %d stages", pieces, stages);
	if (n < 2 || letters[0] != 'E' || letters[n - 1] != 'L' || memchr(letters + 1, 'E', n - 1) != NULL ||
	    memchr(letters, 'L', n - 1) != NULL)
		place_die(at, "layout: must begin with its only E and end with its only L");
	*layers = grid_new(pieces / stages, stages);
	*extra = grid_new(pieces / stages, stages);
	for (size_t i = 0; i < n; i++) {
		piece += letters[i] == '|';
		if (letters[i] == 't' && seen > 0)
			place_die(at, "layout: a t after an m");
		seen += letters[i] == 'm';
		layers->at[piece] += letters[i] == 't';
		extra->at[piece] += letters[i] == 'm';
	}
	free(plain);
	free(groups);
	free(letters);
}

static void
put_letters(FILE *f, char letter, int n)
{
	if (n == 1)
		putc(letter, f);
	else if (n > 1)
		fprintf(f, "%c*%d", letter, n);
}

static void
put_piece(FILE *f, struct grid layers, struct grid extra, int i)
{
	put_letters(f, 't', layers.at[i]);
	put_letters(f, 'm', extra.at[i]);
}

char *
layout_write(struct grid layers, struct grid extra)
{
	int n = layers.chunks * layers.stages, run;
	char *text = NULL;
	size_t size;
	FILE *f = memstream_open(&text, &size);

	putc('E', f);
	put_piece(f, layers, extra, 0);
	for (int i = 1; i < n - 1; i += run) {
		for (run = 1; i + run < n - 1 && layers.at[i + run] == layers.at[i] &&
		    extra.at[i + run] == extra.at[i];)
			run++;
		/* The last bar of a group precedes its next piece. A group must not be empty. */
		if (run > 2 && layers.at[i] + extra.at[i] > 0) {
			fputs("|(", f);
			put_piece(f, layers, extra, i);
			fprintf(f, "|)*%d,", run - 1);
			put_piece(f, layers, extra, i);
			continue;
		}
		for (int k = 0; k < run; k++) {
			putc('|', f);
			put_piece(f, layers, extra, i);
		}
	}
	if (n > 1) {
		putc('|', f);
		put_piece(f, layers, extra, n - 1);
	}
	putc('L', f);
	memstream_close(f);
	return text;
}
