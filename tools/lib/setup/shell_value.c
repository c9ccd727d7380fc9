/* What variables and words of a script stand for, before it runs. */
#include "shell.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/alloc.h"
#include "lib/base/memstream.h"
#include "lib/base/place.h"
#include "lib/setup/arithmetic.h"
#include "shell_quote.h"

enum { DEPTH_MOST = 20, STEPS_MOST = 1 << 20 };

/* False where it is not known. */
static bool put(struct shell *, FILE *, size_t start, size_t end, char quote, int depth);

static bool
named(const struct shell_variable *v, const char *name, size_t n)
{
	return strlen(v->name) == n && memcmp(v->name, name, n) == 0;
}

/* Does the assignment count at AT? LATE: those behind it, too, but not one that AT is a part of. */
static bool
counts(const struct shell_variable *v, const char *name, size_t n, size_t at, bool late)
{
	return named(v, name, n) && (v->end <= at || (late && v->at > at));
}

/* What says a variable at AT, in the order of the text; the list is to be freed. 0: nothing does. */
static int
assignments(const struct shell *s, const char *name, size_t n, size_t at, const struct shell_variable ***list)
{
	int found = 0;

	*list = xcalloc((size_t)s->variables + 1, sizeof **list);
	/* A function may stand before what it uses. */
	for (int late = 0; late < 2 && found == 0; late++)
		for (int i = 0; i < s->variables; i++) {
			const struct shell_variable *v = &s->variable[i];

			if (!counts(v, name, n, at, late == 1))
				continue;
			if (!v->more && (!v->unsure || s->reading != SHELL_SURE))
				found = 0;
			(*list)[found++] = v;
		}
	return found;
}

const struct shell_variable *
shell_assignment(const struct shell *s, const char *name, size_t n, size_t at)
{
	const struct shell_variable **list, *only;
	int found = assignments(s, name, n, at, &list);

	only = found == 1 ? list[0] : NULL;
	free(list);
	return only;
}

static void
take_step(struct shell *s, size_t at)
{
	if (++s->steps > STEPS_MOST)
		place_die((struct place){ s->source, shell_line(s, at) },
		    "variables stand for one another without end");
}

/* The variable as one text; OTHER [start, end): where nothing says it. */
static bool
put_variable(struct shell *s, FILE *f, const char *name, size_t n, size_t at, size_t other, size_t other_end, int depth)
{
	const struct shell_variable **list;
	int found = assignments(s, name, n, at, &list);
	bool known = found > 0;

	take_step(s, at);
	if (found == 0 && other_end > other)
		known = put(s, f, other, other_end, '"', depth + 1);
	for (int i = 0; i < found && known; i++) {
		const char *new = NULL;

		/* A loop's variable has no value that stands in the text. */
		known = (!list[i]->unsure || (s->reading != SHELL_SURE && list[i]->start > 0)) && depth < DEPTH_MOST;
		if (i > 0 && list[i]->array)
			putc(' ', f);
		for (int k = 0; k < s->changes; k++)
			if (s->change[k].of == list[i])
				new = s->change[k].value;
		if (new != NULL)
			fputs(new, f);
		else
			known = known && put(s, f, list[i]->start, list[i]->end, list[i]->quote, depth + 1);
	}
	free(list);
	return known;
}

/* "$((..))", whose inside is [start, end). */
static bool
put_sum(struct shell *s, FILE *f, size_t start, size_t end, int depth)
{
	char *inner = NULL;
	size_t size;
	FILE *g = memstream_open(&inner, &size);
	bool known = true;
	long value;

	for (size_t i = start; i < end && known;) {
		size_t n = shell_name_length(s->text + i), next;

		if (n > 0) {
			known = put_variable(s, g, s->text + i, n, i, 0, 0, depth + 1);
			i += n;
		} else if (s->text[i] == '$') {
			next = shell_past(s->text, i, '\0', 0);
			if (next == i + 1)
				next += shell_name_length(s->text + next);
			known = next > i + 1 && put(s, g, i, next, '\0', depth + 1);
			i = next;
		} else {
			putc(s->text[i++], g);
		}
	}
	memstream_close(g);
	known = known && arithmetic(inner, &value);
	if (known)
		fprintf(f, "%ld", value);
	free(inner);
	return known;
}

/* "${NAME..}", whose inside is [start, end). */
static bool
put_braced(struct shell *s, FILE *f, size_t start, size_t end, int depth)
{
	const char *t = s->text;
	size_t n = shell_name_length(t + start), i = start + n;

	if (n == 0 && isdigit((unsigned char)t[start]))
		while (isdigit((unsigned char)t[i]))
			i++;
	if (i == start)
		return false;
	if (i == end || (t[i] == '[' && (t[i + 1] == '@' || t[i + 1] == '*') && i + 3 == end))
		return n > 0 && put_variable(s, f, t + start, n, start, 0, 0, depth);
	i += t[i] == ':';
	if (t[i] != '-' && t[i] != '=')
		return false;
	if (n == 0)	/* an argument of the script */
		return put(s, f, i + 1, end, '"', depth + 1);
	return put_variable(s, f, t + start, n, start, i + 1, end, depth);
}

/* At a '$' that means something; *NEXT: behind it. */
static bool
put_dollar(struct shell *s, FILE *f, size_t i, size_t *next, int depth)
{
	const char *t = s->text;
	size_t end = shell_past(t, i, '\0', 0), n = shell_name_length(t + i + 1);

	*next = end;
	if (t[i + 1] == '(')
		return t[i + 2] == '(' && end > i + 5 && t[end - 2] == ')' && put_sum(s, f, i + 3, end - 2, depth);
	if (t[i + 1] == '{')
		return t[end - 1] == '}' && put_braced(s, f, i + 2, end - 1, depth);
	*next = i + 1 + n;
	return n > 0 && put_variable(s, f, t + i + 1, n, i, 0, 0, depth);
}

static bool
put(struct shell *s, FILE *f, size_t start, size_t end, char quote, int depth)
{
	const char *t = s->text;
	bool known = depth <= DEPTH_MOST;

	for (size_t i = start; i < end && known;) {
		char c = t[i];

		take_step(s, start);
		if (c == '"' || c == '\'') {	/* within others they are for whoever reads it once more */
			if (quote == '\0' || quote == c)
				quote = quote == c ? '\0' : c;
			i++;
		} else if (c == '\\' && quote != '\'') {
			if (t[i + 1] != '\n' && i + 1 < end)
				putc(t[i + 1], f);
			else if (i + 1 < end)
				putc(' ', f);
			i += 2;
		} else if (c == '`' && quote != '\'') {
			known = false;
		} else if (c == '$' && quote != '\'') {
			known = put_dollar(s, f, i, &i, depth);
		} else {
			putc(c == '\n' || c == '\t' ? ' ' : c, f);
			i++;
		}
	}
	return known;
}

char *
shell_value(struct shell *s, size_t start, size_t end, char quote)
{
	char *text = NULL;
	size_t size;
	FILE *f = memstream_open(&text, &size);
	bool known = put(s, f, start, end, quote, 0);

	memstream_close(f);
	if (known)
		return text;
	free(text);
	return NULL;
}

size_t
shell_name(const struct shell *s, size_t start, size_t end, size_t *at)
{
	const char *t = s->text;
	size_t n;

	if (end < start + 2 || t[start] != '$')
		return 0;
	*at = start + 1 + (t[start + 1] == '{');
	n = shell_name_length(t + *at);
	if (n == 0 || shell_past(t, start, '\0', 0) != (t[start + 1] == '{' ? end : start + 1))
		return 0;
	return t[start + 1] == '{' || *at + n == end ? n : 0;
}

/* The words of a text that is read further: all that is known so far. */
struct expansion {
	struct shell *s;
	struct shell_words words;
	bool unsure, again;
};

static void follow(struct expansion *, struct shell_word, int depth);

/* Words of a string, whose quotes are in [start, end) or around it. */
static void
follow_string(struct expansion *x, size_t start, size_t end, char quote, struct shell_word in, int depth)
{
	const char *t = x->s->text;

	for (size_t i = start; i < end;) {
		struct shell_word w = in;

		if ((quote == '\0' && (t[i] == '"' || t[i] == '\'')) || (quote != '\0' && t[i] == quote)) {
			quote = quote == '\0' ? t[i] : '\0';
			i++;
			continue;
		}
		if (strchr(" \t\r\n", t[i]) != NULL) {
			i++;
			continue;
		}
		if (t[i] == '\\' && t[i + 1] == '\n' && quote != '\'') {
			i += 2;
			continue;
		}
		if (t[i] == '#' && in.kind == SHELL_STRING)
			place_die((struct place){ x->s->source, shell_line(x->s, i) }, "within quotes '#' begins no "
			    "comment: a shell passes the words behind it");
		w.start = w.from = i;
		while (i < end && strchr(" \t\r\n", t[i]) == NULL && t[i] != quote &&
		    !(quote == '\0' && (t[i] == '"' || t[i] == '\'')) && !(t[i] == '\\' && t[i + 1] == '\n'))
			i = shell_past(t, i, quote, 0);
		w.end = w.to = i < end ? i : end;
		w.quote = quote;
		follow(x, w, depth + 1);
	}
}

/* Words between blanks, with comments between them. */
static void
follow_words(struct expansion *x, size_t start, size_t end, struct shell_word in, int depth)
{
	const char *t = x->s->text;

	for (size_t i = start; i < end;) {
		struct shell_word w = in;

		if (t[i] == '#') {
			i += strcspn(t + i, "\n");
			continue;
		}
		if (t[i] == '<' || t[i] == '>') {	/* what follows is no word of the command */
			while (i < end && strchr("<>&|- ", t[i]) != NULL)
				i++;
			i = shell_word_end(t, i);
			continue;
		}
		if (strchr(" \t\r\n;&|()", t[i]) != NULL || (t[i] == '\\' && t[i + 1] == '\n')) {
			i += t[i] == '\\' ? 2 : 1;
			continue;
		}
		w.from = w.start = i;
		i = shell_word_end(t, i);
		w.to = w.end = i;
		if ((t[w.from] == '"' || t[w.from] == '\'') && shell_past(t, w.from, '\0', 0) == w.to &&
		    w.to > w.from + 1) {
			w.quote = t[w.from];
			w.start++;
			w.end--;
		}
		follow(x, w, depth);
	}
}

static bool holds_words(struct shell *, const struct shell_variable *, int depth);

/* Is a variable in [start, end) one that holds arguments? */
static bool
names_words(struct shell *s, size_t start, size_t end, int depth)
{
	bool holds = false;

	for (size_t i = start; i < end && !holds; i++) {
		const struct shell_variable **list;
		size_t at = i + 1 + (s->text[i + 1] == '{'), n;

		if (s->text[i] != '$' || (n = shell_name_length(s->text + at)) == 0)
			continue;
		for (int k = assignments(s, s->text + at, n, i, &list); k > 0 && !holds; k--)
			holds = holds_words(s, list[k - 1], depth + 1);
		free(list);
	}
	return holds;
}

static bool
holds_words(struct shell *s, const struct shell_variable *v, int depth)
{
	take_step(s, v->at);
	return v->array || (v->start == v->end && v->start > 0) ||
	    memmem(s->text + v->start, v->end - v->start, "--", 2) != NULL ||
	    (depth < DEPTH_MOST && names_words(s, v->start, v->end, depth));
}

/* A word that is a variable: false where it holds no words. */
static bool
follow_variable(struct expansion *x, const struct shell_word *w, int depth)
{
	const struct shell_variable **list = NULL;
	size_t at, n = shell_name(x->s, w->start, w->end, &at);
	int found = n > 0 ? assignments(x->s, x->s->text + at, n, w->start, &list) : 0;
	bool any = false, unsure = x->unsure;

	if (n == 0)
		return false;
	for (int i = 0; i < found; i++)
		any |= holds_words(x->s, list[i], 0);
	for (int i = 0; any && i < found; i++) {
		struct shell_word in = { .kind = list[i]->array ? SHELL_ARRAY : SHELL_STRING,
			.group = list[i]->start, .group_end = list[i]->end };

		x->unsure = unsure || list[i]->unsure;
		if (list[i]->array)
			follow_words(x, list[i]->start, list[i]->end, in, depth + 1);
		else
			follow_string(x, list[i]->start, list[i]->end, list[i]->quote, in, depth + 1);
	}
	x->unsure = unsure;
	free(list);
	return any;
}

static void
follow(struct expansion *x, struct shell_word w, int depth)
{
	const char *t = x->s->text;
	struct shell_words *words = &x->words;

	take_step(x->s, w.start);
	if (depth > DEPTH_MOST)
		place_die((struct place){ x->s->source, shell_line(x->s, w.start) },
		    "variables stand for one another without end");
	if (w.quote != '\'' && follow_variable(x, &w, depth))
		return;
	/* Several words within quotes, which a shell divides when the array is not in quotes, or reads once more. */
	if (w.quote != '\0' && w.kind != SHELL_STRING && (x->again || t[w.start] == '-') &&
	    (memmem(t + w.start, w.end - w.start, "--", 2) != NULL || names_words(x->s, w.start, w.end, 0)) &&
	    w.start + strcspn(t + w.start, " \t\n") < w.end) {
		struct shell_word in = { .kind = SHELL_STRING, .group = w.start, .group_end = w.end };

		follow_string(x, w.start, w.end, w.quote, in, depth + 1);
		return;
	}
	w.unsure = x->unsure;
	w.again = x->again;
	w.value = shell_value(x->s, w.start, w.end, w.quote);
	*APPEND(words->at, words->n) = w;
}

/* Does the command read a text as a command? */
static bool
reads_again(const struct shell *s, const struct shell_command *c)
{
	const char *t = s->text + c->start;
	size_t n = c->end - c->start;

	return strncmp(t, "eval", 4) == 0 || strncmp(t, "ssh ", 4) == 0 || memmem(t, n, "bash -c", 7) != NULL ||
	    memmem(t, n, "sh -c", 5) != NULL || memmem(t, n, "bash -lc", 8) != NULL;
}

/* Is the variable named in a command or in another variable? */
static bool
taken(struct shell *s, const struct shell_variable *v)
{
	const char *t = s->text;
	size_t length = strlen(v->name);

	for (size_t i = 0; t[i] != '\0'; i++)
		if (t[i] == '$') {
			size_t at = i + 1 + (t[i + 1] == '{'), n = shell_name_length(t + at);

			if (n == length && memcmp(t + at, v->name, n) == 0)
				return true;
		}
	return false;
}

struct shell_words
shell_expand(struct shell *s, int command)
{
	struct expansion x = { .s = s };

	if (command >= 0) {
		const struct shell_command *c = &s->command[command];
		struct shell_word in = { .kind = SHELL_COMMAND, .group = c->start, .group_end = c->end };

		x.unsure = c->unsure;
		x.again = reads_again(s, c);
		follow_words(&x, c->start, c->end, in, 0);
		return x.words;
	}
	for (int i = 0; i < s->variables; i++) {
		const struct shell_variable *v = &s->variable[i];
		struct shell_word in = { .kind = v->array ? SHELL_ARRAY : SHELL_STRING, .group = v->start,
		    .group_end = v->end };

		if (!holds_words(s, v, 0) || (s->reading == SHELL_SURE && taken(s, v)))
			continue;
		x.unsure = v->unsure;
		if (v->array)
			follow_words(&x, v->start, v->end, in, 0);
		else
			follow_string(&x, v->start, v->end, v->quote, in, 0);
	}
	return x.words;
}

void
shell_words_free(struct shell_words *w)
{
	for (int i = 0; i < w->n; i++)
		free(w->at[i].value);
	free(w->at);
	*w = (struct shell_words){ 0 };
}
