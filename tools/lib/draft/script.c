/* Shell scripts: words, variables and groups of arguments. */
#include "script.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/alloc.h"
#include "lib/base/clipped.h"
#include "arithmetic.h"

enum { DEPTH_MOST = 20, TEXT_MOST = 1 << 20, STEPS_MOST = 1 << 24 };

struct text {
	char *at;
	size_t n;
};

static void
add(struct text *t, char c)
{
	if (t->n + 2 > TEXT_MOST)
		return;
	*APPEND(t->at, t->n) = c;
	*APPEND(t->at, t->n) = '\0';
	t->n--;
}

static void
add_all(struct text *t, const char *s)
{
	for (; *s != '\0'; s++)
		add(t, *s);
}

struct script {
	struct bag *variables, *arguments;
	struct place at;
	const char *s;		/* what is left of it */
	bool in_command;	/* the line begins a program */
	bool commands;		/* some program was started with arguments */
	long steps;		/* letters and variables put in the place of variables */
};

static const char *expand(struct script *, struct text *, const char *s, int depth);

static bool
name_char(char c)
{
	return isalnum((unsigned char)c) || c == '_';
}

static void
append_variable(struct script *p, struct text *t, const char *name, size_t length, const char *instead, int depth)
{
	char *copy = xstrndup(name, length);
	const char *value = bag_text(p->variables, copy);

	if (value == NULL)
		value = instead;
	/* X=$X$X doubles with every step into it. */
	p->steps += 1 + (value != NULL ? (long)strlen(value) : 0);
	if (p->steps > STEPS_MOST)
		place_die(p->at, "variables stand for one another without end '%s'", copy);
	if (value == NULL) {
		/* Not known before it runs. */
		add_all(t, "$");
		add_all(t, copy);
	} else if (depth < DEPTH_MOST) {
		for (const char *s = value; *s != '\0';)
			if (*s == '$')
				s = expand(p, t, s, depth + 1);
			else
				add(t, *s++);
	}
	free(copy);
}

/* The end of what is in brackets that match, behind the first of them. */
static const char *
matching(const char *s, char open, char close)
{
	int depth = 1;

	for (; *s != '\0'; s++) {
		depth += (*s == open) - (*s == close);
		if (depth == 0)
			return s;
	}
	return s;
}

static const char *
expand_arithmetic(struct script *p, struct text *t, const char *s, int depth)
{
	const char *end = matching(s, '(', ')');
	struct text inner = { 0 };
	char number[32];
	struct clipped digits = CLIPPED(number);
	long value;

	for (const char *at = s; at < end;) {
		if (*at == '$') {
			at = expand(p, &inner, at, depth + 1);
		} else if (isalpha((unsigned char)*at) || *at == '_') {
			const char *from = at;

			while (name_char(*at))
				at++;
			append_variable(p, &inner, from, (size_t)(at - from), NULL, depth + 1);
		} else {
			add(&inner, *at++);
		}
	}
	if (inner.at != NULL && arithmetic(inner.at, &value)) {
		clipped_print(&digits, "%ld", value);
		add_all(t, number);
	} else {
		add_all(t, "$((?))");
	}
	free(inner.at);
	end += *end == ')';
	return end + (*end == ')');
}

/* [FROM, END) without quotes around all of it; to be freed. */
static char *
unquoted(const char *from, const char *end)
{
	if (end > from + 1 && (*from == '"' || *from == '\'') && end[-1] == *from)
		return xstrndup(from + 1, (size_t)(end - from) - 2);
	return xstrndup(from, (size_t)(end - from));
}

/* S is at a '$'; append what it stands for and return what is behind it. */
static const char *
expand(struct script *p, struct text *t, const char *s, int depth)
{
	const char *from, *end;

	if (s[1] == '(' && s[2] == '(')
		return expand_arithmetic(p, t, s + 3, depth);
	if (s[1] == '(') {
		add_all(t, "$(?)");
		end = matching(s + 2, '(', ')');
		return end + (*end == ')');
	}
	if (s[1] == '{') {
		char *instead = NULL;

		from = s + 2;
		for (end = from; name_char(*end); end++)
			;
		s = matching(s + 2, '{', '}');
		/* ${NAME:-value}, ${NAME-value}, ${NAME:=value}; of arrays ${NAME[@]}. */
		if ((*end == ':' && (end[1] == '-' || end[1] == '=')) || *end == '-' || *end == '=')
			instead = unquoted(end + 1 + (*end == ':'), s);
		append_variable(p, t, from, (size_t)(end - from), instead, depth);
		free(instead);
		return s + (*s == '}');
	}
	for (end = s + 1; name_char(*end); end++)
		;
	if (end == s + 1) {
		add(t, '$');
		return end;
	}
	append_variable(p, t, s + 1, (size_t)(end - s - 1), NULL, depth);
	return end;
}

static void
skip_blanks(struct script *p)
{
	for (;;) {
		if (*p->s == ' ' || *p->s == '\t' || *p->s == '\r') {
			p->s++;
		} else if (*p->s == '\\' && (p->s[1] == '\n' || (p->s[1] == '\r' && p->s[2] == '\n'))) {
			p->s += p->s[1] == '\n' ? 2 : 3;
			p->at.line++;
		} else {
			return;
		}
	}
}

/* A word with its quotes taken off; WHOLE: it was a quoted string or had none of a group's blanks. */
static bool
next_word(struct script *p, struct text *t)
{
	bool any = false;

	skip_blanks(p);
	for (; *p->s != '\0' && strchr(" \t\r\n;&|()<>", *p->s) == NULL; any = true) {
		char quote = *p->s;

		if (quote == '#' && !any)
			return false;
		if (quote == '\'' || quote == '"') {
			for (p->s++; *p->s != '\0' && *p->s != quote;) {
				if (*p->s == '\\' && quote == '"' && p->s[1] != '\0') {
					/* A line that goes on is a blank of a group. */
					add(t, p->s[1] == '\n' ? ' ' : p->s[1]);
					p->at.line += p->s[1] == '\n';
					p->s += 2;
				} else if (*p->s == '$' && quote == '"') {
					p->s = expand(p, t, p->s, 0);
				} else {
					p->at.line += *p->s == '\n';
					add(t, *p->s++);
				}
			}
			p->s += *p->s == quote;
			if (t->at == NULL)
				t->at = xstrdup("");
		} else if (quote == '\\' && p->s[1] == '\n') {
			break;
		} else if (quote == '\\' && p->s[1] != '\0') {
			add(t, p->s[1]);
			p->s += 2;
		} else if (quote == '$') {
			p->s = expand(p, t, p->s, 0);
		} else {
			add(t, *p->s++);
		}
	}
	return any;
}

/* Words of TEXT that are arguments: a key takes the next word unless that is a key, too. */
struct pending {
	char *key;
	const char *list;	/* that goes on with the next word; NULL: none */
};

/* Keys that take more words than one. */
static const char *
list_of(const char *key)
{
	static const char *const lists[] = { "recompute_modules", "cuda_graph_scope", "cuda_graph_modules" };

	for (size_t i = 0; i < sizeof lists / sizeof lists[0]; i++)
		if (strcmp(key, lists[i]) == 0)
			return lists[i];
	return NULL;
}

/* The list that it begins, or NULL. */
static const char *
put_argument(struct script *p, const char *key, const char *text)
{
	/* Quotes within others are for a shell that reads them once more. */
	char *name = xstrdup(key), *value = unquoted(text, text + strlen(text));
	const char *list;

	for (char *c = name; *c != '\0'; c++)
		if (*c == '-')
			*c = '_';
	bag_put(p->arguments, name, value, p->at);
	list = list_of(name);
	free(value);
	free(name);
	return list;
}

static void
put_more(struct script *p, const char *list, const char *word)
{
	char *longer = xasprintf("%s %s", bag_text(p->arguments, list), word);

	bag_put(p->arguments, list, longer, p->at);
	free(longer);
}

static void
take_word(struct script *p, struct pending *pending, const char *word)
{
	const char *equals = strchr(word, '=');

	if (strncmp(word, "--", 2) == 0 && word[2] != '\0') {
		if (pending->key != NULL)
			put_argument(p, pending->key, "true");
		free(pending->key);
		pending->key = NULL;
		pending->list = NULL;
		if (equals != NULL) {
			char *key = xstrndup(word + 2, (size_t)(equals - word - 2));

			put_argument(p, key, equals + 1);
			free(key);
		} else {
			pending->key = xstrdup(word + 2);
		}
		return;
	}
	if (pending->key != NULL)
		pending->list = put_argument(p, pending->key, word);
	else if (pending->list != NULL)
		put_more(p, pending->list, word);
	free(pending->key);
	pending->key = NULL;
}

/* A word may be a whole group of arguments. */
static void
take_words(struct script *p, struct pending *pending, char *text, bool split)
{
	char *word, *rest = text;

	if (!split || strstr(text, "--") == NULL) {
		take_word(p, pending, text);
		return;
	}
	while ((word = strsep(&rest, " \t\r\n\\")) != NULL)
		if (*word != '\0')
			take_word(p, pending, word);
}

static void
end_pending(struct script *p, struct pending *pending)
{
	if (pending->key != NULL)
		put_argument(p, pending->key, "true");
	free(pending->key);
	pending->key = NULL;
}

/* NAME=( word ... ) over several lines, with comments. */
static void
read_array(struct script *p, const char *name, bool more)
{
	struct text all = { 0 };
	const char *before = more ? bag_text(p->variables, name) : NULL;

	if (before != NULL)
		add_all(&all, before);
	while (*p->s != '\0' && *p->s != ')') {
		struct text word = { 0 };

		if (next_word(p, &word) && word.at != NULL) {
			if (all.n > 0)
				add(&all, ' ');
			add_all(&all, word.at);
		} else if (*p->s == '#') {
			p->s += strcspn(p->s, "\n");
		} else if (*p->s != ')' && *p->s != '\0') {
			p->at.line += *p->s == '\n';
			p->s++;
		}
		free(word.at);
	}
	p->s += *p->s == ')';
	bag_put(p->variables, name, all.at != NULL ? all.at : "", p->at);
	free(all.at);
}

/* [export] NAME=value or NAME+=value at the start of a line; true when it was one. */
static bool
read_assignment(struct script *p)
{
	const char *end = p->s, *equals;
	struct text value = { 0 };
	bool more;
	char *name;

	for (; name_char(*end); end++)
		;
	more = *end == '+' && end[1] == '=';
	equals = end + more;
	if (end == p->s || *equals != '=' || isdigit((unsigned char)*p->s))
		return false;
	name = xstrndup(p->s, (size_t)(end - p->s));
	p->s = equals + 1;
	if (*p->s == '(') {
		p->s++;
		read_array(p, name, more);
	} else {
		if (more && bag_text(p->variables, name) != NULL)
			add_all(&value, bag_text(p->variables, name));
		next_word(p, &value);
		bag_put(p->variables, name, value.at != NULL ? value.at : "", p->at);
	}
	free(value.at);
	free(name);
	return true;
}

static void
read_line(struct script *p)
{
	static const char *const prefixes[] = { "export", "local", "declare", "readonly", "then", "do", "else", "set" };
	struct pending pending = { 0 };
	bool first = true;

	for (;;) {
		struct text word = { 0 };
		const char *from;
		bool quoted;

		skip_blanks(p);
		if (first && read_assignment(p))
			continue;
		from = p->s;
		if (!next_word(p, &word) || word.at == NULL) {
			free(word.at);
			break;
		}
		quoted = *from == '"' || *from == '\'';
		for (size_t i = 0; first && i < sizeof prefixes / sizeof prefixes[0]; i++)
			if (strcmp(word.at, prefixes[i]) == 0)
				goto next;
		/* A plain list of arguments has no program in front. */
		first = false;
		take_words(p, &pending, word.at, !quoted ||
		    strstr(word.at, "--") == word.at + strspn(word.at, " \n\t\\"));
next:
		free(word.at);
	}
	end_pending(p, &pending);
}

static void
read_all(struct script *p, const char *text)
{
	p->s = text;
	p->at.line = 1;
	while (*p->s != '\0') {
		read_line(p);
		if (*p->s == '#')
			p->s += strcspn(p->s, "\n");
		if (*p->s != '\0') {
			p->at.line += *p->s == '\n';
			p->s++;
		}
	}
}

/* Groups of arguments that no program was seen to take. */
static void
take_groups(struct script *p)
{
	for (int i = 0; i < p->variables->n; i++) {
		struct setting *v = &p->variables->at[i];
		struct pending pending = { 0 };
		char *copy;

		if (v->text == NULL || strstr(v->text, "--") == NULL)
			continue;
		copy = xstrdup(v->text);
		p->at = v->place;
		take_words(p, &pending, copy, true);
		end_pending(p, &pending);
		free(copy);
	}
}

void
script_read(const char *text, const char *source, struct bag *arguments, struct bag *variables)
{
	struct script p = { .variables = variables, .arguments = arguments, .at = { .source = source } };

	read_all(&p, text);
	if (arguments->n == 0 || bag_find(arguments, "num_layers|hidden_size") == NULL)
		take_groups(&p);
}
