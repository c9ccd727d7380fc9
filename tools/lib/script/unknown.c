#include "unknown.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/alloc.h"

enum { DEPTH_MOST = 6 };

static bool
name_char(char c)
{
	return isalnum((unsigned char)c) || c == '_';
}

static bool
is_option(const char *word)
{
	return word[0] == '-' && (word[1] == '-' || isalpha((unsigned char)word[1])) && word[1] != '\0';
}

/* Return the length of the option's name in a word such as "--a=1" or "--a". */
static int
name_length(const char *word)
{
	return (int)strcspn(word, "=");
}

static struct unknown_argument *
find(struct program *p, const char *name, int n)
{
	struct unknown_argument *x = p->unknown.at;

	for (int i = 0; i < p->unknown.n; i++)
		if (strncmp(x[i].argument, name, (size_t)n) == 0 && x[i].argument[n] == '\0')
			return &x[i];
	return NULL;
}

static struct unknown_argument *
add(struct program *p, const char *name, int n)
{
	struct unknown_argument *x = array_add(&unknown_argument_fields, &p->unknown);

	field_give(&program_fields, p, offsetof(struct program, unknown));
	x->argument = xstrndup(name, (size_t)n);
	return x;
}

/* Return the start of line LINE, counted from 1, or NULL if the text is shorter. */
static const char *
line_of(const char *text, long line)
{
	while (text != NULL && --line > 0) {
		text = strchr(text, '\n');
		text = text != NULL ? text + 1 : NULL;
	}
	return text;
}

/* Return the variable that a line such as "export NAME=$(...)" assigns, or NULL. Caller frees. */
static char *
assigned_in(const char *text, long line)
{
	const char *c = line_of(text, line);
	size_t n = 0;

	for (; c != NULL && *c != '\0' && *c != '\n'; c += n > 0 ? n : 1) {
		for (n = 0; name_char(c[n]); n++)
			continue;
		if (n > 0 && c[n] == '=' && !isdigit((unsigned char)*c) && (c[n + 1] == '$' || c[n + 1] == '"' ||
		    c[n + 1] == '`' || c[n + 1] == '('))
			return xstrndup(c, n);
	}
	return NULL;
}

/* Return the values of the option at index AT, separated by blanks. Caller frees. */
static char *
values_of(const struct texts *w, int at)
{
	char *all = xstrdup(w->at[at]);

	for (int i = at + 1; i < w->n && !is_option(w->at[i]); i++) {
		char *more = xasprintf("%s\n%s", all, w->at[i]);

		free(all);
		all = more;
	}
	return all;
}

/* Return whether OTHER has the option at AT with the same values. */
static bool
has(const struct texts *other, const struct texts *w, int at)
{
	char *values = values_of(w, at);
	bool there = false;

	for (int i = 0; i < other->n && !there; i++)
		if (is_option(other->at[i])) {
			char *its = values_of(other, i);

			there = strcmp(its, values) == 0;
			free(its);
		}
	free(values);
	return there;
}

/* Mark in P the options of A that B lacks, or has with other values. */
static void
differ(struct program *p, const struct texts *a, const struct texts *b, const struct note *from, const char *text)
{
	for (int i = 0; i < a->n; i++) {
		int n = name_length(a->at[i]);
		struct unknown_argument *x;

		if (!is_option(a->at[i]) || has(b, a, i))
			continue;
		x = find(p, a->at[i], n);
		if (x == NULL)
			x = add(p, a->at[i], n);
		if (from != NULL && x->from == NULL) {
			GIVE(unknown_argument, x, from, xstrdup(from->words.at[0]));
			GIVE(unknown_argument, x, line, (int)from->line);
			x->variable = assigned_in(text, from->line);
			if (x->variable != NULL)
				field_give(&unknown_argument_fields, x, offsetof(struct unknown_argument, variable));
		}
	}
}

void
unknown_compare(struct programs *all, const struct programs *other, const struct note *from, const char *text)
{
	for (int i = 0; i < other->n; i++) {
		const struct program *o = &other->at[i];
		struct program *p = programs_same(all, other, i);

		if (p == NULL)
			continue;
		differ(p, &p->launcher, &o->launcher, from, text);
		differ(p, &o->launcher, &p->launcher, from, text);
		differ(p, &p->arguments, &o->arguments, from, text);
		differ(p, &o->arguments, &p->arguments, from, text);
	}
}

/*
 * Return the name in an expansion "$NAME" or "${NAME..." at C, with or without quotes, or NULL. Set *N to its length.
 */
static const char *
expanded(const char *c, size_t *n)
{
	*n = 0;
	c += *c == '"';
	if (*c++ != '$')
		return NULL;
	if (*c == '(' && c[1] == '(')
		for (c += 2; *c == ' ' || *c == '$' || *c == '{' || *c == '('; c++)
			continue;
	c += *c == '{';
	while (name_char(c[*n]))
		++*n;
	return *n > 0 ? c : NULL;
}

/*
 * Return the variable whose value the script assigns to the variable NAME, or NULL. Set *ITS to the length of its name.
 */
static const char *
source_of(const char *text, const char *name, size_t n, size_t *its)
{
	for (const char *c = text; (c = strstr(c, name)) != NULL; c++)
		if ((c == text || !name_char(c[-1])) && c[n] == '=' && (c == text || c[-1] != '{')) {
			const char *found = expanded(c + n + 1, its);

			if (found != NULL && (*its != n || strncmp(found, name, n) != 0))
				return found;
		}
	return NULL;
}

/*
 * Return the variable from which an option takes its value. If that variable is assigned from another one, return the
 * other. Caller frees. Return NULL if the value is not from a variable.
 */
static char *
variable_of(const char *text, const char *option, int length)
{
	const char *found = NULL;
	char *name;
	size_t n;

	for (const char *c = text; found == NULL && (c = memmem(c, strlen(c), option, (size_t)length)) != NULL; c++)
		if (c[length] == '=' || c[length] == ' ' || c[length] == '\t')
			found = expanded(c + length + strspn(c + length, "= \t"), &n);
	if (found == NULL)
		return NULL;
	name = xstrndup(found, n);
	for (int i = 0; i < DEPTH_MOST; i++) {
		const char *next = source_of(text, name, strlen(name), &n);

		if (next == NULL)
			break;
		free(name);
		name = xstrndup(next, n);
	}
	return name;
}

static void
unset_among(struct program *p, const struct texts *w, const char *text)
{
	for (int i = 0; i < w->n; i++) {
		int n = name_length(w->at[i]);
		bool joined = w->at[i][n] == '=';
		const char *value = joined ? w->at[i] + n + 1 : i + 1 < w->n ? w->at[i + 1] : NULL;
		struct unknown_argument *x;
		char *variable;

		if (!is_option(w->at[i]) || find(p, w->at[i], n) != NULL ||
		    (value != NULL && *value != '\0' && (joined || !is_option(value))))
			continue;
		variable = variable_of(text, w->at[i], n);
		if (variable == NULL)
			continue;
		x = add(p, w->at[i], n);
		GIVE(unknown_argument, x, variable, variable);
	}
}

void
unknown_unset(struct programs *all, const char *text)
{
	for (int i = 0; i < all->n; i++) {
		unset_among(&all->at[i], &all->at[i].launcher, text);
		unset_among(&all->at[i], &all->at[i].arguments, text);
	}
}
