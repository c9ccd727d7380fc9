#include "listed.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/alloc.h"
#include "lib/base/plain.h"

enum { VALUE_MAX = 1 << 16, DOTS = 3 };

/* Arguments that turn something off, and the name under which lists have the thing itself. */
static const char *const turned_off[][2] = {
	{ "add_bias_linear", "disable_bias_linear" },
};

struct listed_part {
	const char *at;
	size_t n;
};

static bool
is(struct listed_part t, const char *word)
{
	return t.n == strlen(word) && memcmp(t.at, word, t.n) == 0;
}

static void
put(struct listed *l, const char *s, size_t n)
{
	if (l->length + n + 1 > l->room) {
		l->room = 2 * (l->length + n) + 256;
		l->text = xreallocarray(l->text, l->room, 1);
	}
	memcpy(l->text + l->length, s, n);
	l->length += n;
	l->text[l->length] = '\0';
}

static void
put_flag(struct listed *l, struct listed_part name)
{
	put(l, "--", 2);
	for (size_t i = 0; i < name.n; i++)
		put(l, name.at[i] == '_' ? "-" : name.at + i, 1);
	put(l, " ", 1);
}

static bool
word_char(char c)
{
	return isalnum((unsigned char)c) || c == '_';
}

/* Split a line "name ..... value" with at least LEAST dots. Return false if it has another form. */
static bool
split(struct listed_part line, size_t least, struct listed_part *name, struct listed_part *value)
{
	const char *end = line.at + line.n, *p = line.at, *begin;

	while ((p = memmem(p, (size_t)(end - p), " .", 2)) != NULL) {
		size_t dots = 0;

		for (begin = p; begin > line.at && word_char(begin[-1]); begin--)
			continue;
		while (p + 1 + dots < end && p[1 + dots] == '.')
			dots++;
		if (begin < p && isalpha((unsigned char)*begin) && dots >= least && p + 1 + dots < end &&
		    p[1 + dots] == ' ') {
			*name = (struct listed_part){ begin, (size_t)(p - begin) };
			*value = (struct listed_part){ p + 2 + dots, (size_t)(end - p) - 2 - dots };
			return true;
		}
		p++;
	}
	return false;
}

/* Write a list such as "['core_attn', 'mlp']" as words. Write any other value in quotes. */
static void
put_words(struct listed *l, struct listed_part v)
{
	for (size_t i = 1; i + 1 < v.n; i++)
		if (v.at[i] == ',' && i + 2 < v.n)
			continue;
		else if (v.at[i] != '\'' && v.at[i] != '"')
			put(l, v.at + i, 1);
}

static bool
plain_words(struct listed_part v)
{
	if (v.n < 3 || v.at[0] != '[' || v.at[1] != '\'' || v.at[v.n - 1] != ']')
		return false;
	for (size_t i = 1; i + 1 < v.n; i++)
		if (!word_char(v.at[i]) && strchr("', ", v.at[i]) == NULL)
			return false;
	return true;
}

static bool
holds(struct listed_part t, char c)
{
	return memchr(t.at, c, t.n) != NULL;
}

static void
argument(struct listed *l, struct listed_part name, struct listed_part value)
{
	for (size_t i = 0; i < sizeof turned_off / sizeof turned_off[0]; i++)
		if (is(name, turned_off[i][0])) {
			if (is(value, "False"))
				put_flag(l, (struct listed_part){ turned_off[i][1], strlen(turned_off[i][1]) });
			return;
		}
	l->attention |= is(name, "attention_backend") || is(name, "use_flash_attn") || is(name, "transformer_impl");
	if (value.n == 0 || value.n > VALUE_MAX || is(value, "None") || is(value, "False") || is(value, "[]"))
		return;
	if (is(name, "virtual_pipeline_model_parallel_size")) {
		free(l->chunks);
		l->chunks = xstrndup(value.at, value.n);
		return;
	}
	if (is(name, "num_layers_per_virtual_pipeline_stage")) {
		free(l->each);
		l->each = xstrndup(value.at, value.n);
		return;
	}
	/* This value is redundant: the list also has the number of chunks. */
	if (is(name, "num_virtual_stages_per_pipeline_rank"))
		return;
	l->padded |= is(name, "padded_vocab_size");
	if (is(value, "True")) {
		put_flag(l, name);
	} else if (plain_words(value)) {
		put_flag(l, name);
		put_words(l, value);
	} else if (!holds(value, '$') && !holds(value, '\0') && !(holds(value, '\'') && holds(value, '"'))) {
		const char *quote = holds(value, '\'') ? "\"" : "'";

		put_flag(l, name);
		put(l, quote, 1);
		put(l, value.at, value.n);
		put(l, quote, 1);
	}
}

/* Read a line such as " > padded vocab (size: 50257) with 431 dummy tokens (new size: 50688)". */
static void
vocabulary(struct listed *l, struct listed_part line)
{
	const char *p = memmem(line.at, line.n, "padded vocab (size:", 19), *end = line.at + line.n;
	size_t n = 0;

	if (p == NULL || l->padded || (p = memmem(p, (size_t)(end - p), "(new size: ", 11)) == NULL)
		return;
	p += 11;
	while (p + n < end && isdigit((unsigned char)p[n]))
		n++;
	if (n == 0 || n > 9)
		return;
	put_flag(l, (struct listed_part){ "padded_vocab_size", 17 });
	put(l, p, n);
	l->padded = true;
}

/* Read a line from which colours have been removed. */
static void
take(struct listed *l, struct listed_part line)
{
	struct listed_part name, value;

	while (line.n > 0 && isspace((unsigned char)line.at[line.n - 1]))
		line.n--;
	if (memmem(line.at, line.n, "-- arguments --", 15) != NULL)
		l->open = true;
	else if (memmem(line.at, line.n, "-- end of ", 10) != NULL)
		l->open = false;
	else if (split(line, l->open ? 1 : DOTS, &name, &value)) {
		while (value.n > 0 && *value.at == ' ') {
			value.at++;
			value.n--;
		}
		l->pipeline |= is(name, "pipeline_model_parallel_size");
		argument(l, name, value);
	} else if (line.n > 2 && memcmp(line.at, "--", 2) == 0 && isalpha((unsigned char)line.at[2]) &&
	    !holds(line, '$') && !holds(line, '`') && !holds(line, '\'') && !holds(line, '"') &&
	    !holds(line, '\\') && !holds(line, '\0')) {
		/* The line is an argument of a command already: write it unchanged. */
		put(l, line.at, line.n);
	} else {
		vocabulary(l, line);
	}
	put(l, "\n", 1);
}

bool
listed_by_deepspeed(const char *text, size_t length)
{
	const char *p = memmem(text, length, "config.py:", 10);

	return p != NULL && memmem(p, length - (size_t)(p - text), ":print]", 7) != NULL;
}

void
listed_line(struct listed *l, const char *text, size_t length)
{
	char *copy;

	if (listed_by_deepspeed(text, length))
		return;
	if (memchr(text, '\x1b', length) == NULL) {
		take(l, (struct listed_part){ text, length });
		return;
	}
	copy = xcalloc(length, 1);
	memcpy(copy, text, length);
	take(l, (struct listed_part){ copy, plain_text(copy, length) });
	free(copy);
}

void
listed_end(struct listed *l)
{
	static const char before_flash[] = "--attention-backend unfused";

	if (!l->pipeline)
		return;
	if (l->chunks != NULL || l->each != NULL) {
		const char *name = l->chunks != NULL ? "num_virtual_stages_per_pipeline_rank" :
		    "num_layers_per_virtual_pipeline_stage", *value = l->chunks != NULL ? l->chunks : l->each;

		put_flag(l, (struct listed_part){ name, strlen(name) });
		put(l, value, strlen(value));
		put(l, "\n", 1);
	}
	/* A list has all arguments. Releases without an argument for attention had only this implementation. */
	if (!l->attention)
		put(l, before_flash, sizeof before_flash - 1);
}

void
listed_free(struct listed *l)
{
	free(l->text);
	free(l->chunks);
	free(l->each);
	*l = (struct listed){ 0 };
}

char *
listed_command(const char *text, size_t length)
{
	struct listed l = { 0 };
	char *command = NULL;

	for (const char *p = text, *end = text + length, *next; p < end; p = next + 1) {
		next = memchr(p, '\n', (size_t)(end - p));
		next = next != NULL ? next : end;
		listed_line(&l, p, (size_t)(next - p));
	}
	listed_end(&l);
	if (l.pipeline) {
		command = l.text;
		l.text = NULL;
	}
	listed_free(&l);
	return command;
}
