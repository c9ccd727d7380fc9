/* Arguments of a script replaced, removed and added where they stand. */
#include "script.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/alloc.h"
#include "lib/base/memstream.h"

struct script {
	struct arguments *a;
	const struct wanted *w;
	struct edits *edits;
	const char *text;
	size_t length;
	bool *gone;		/* [length]: bytes that are removed */
	bool *kept;		/* [length]: something new stands before them */
};

static bool
blank(char c)
{
	return c == ' ' || c == '\t' || c == '\r';
}

static size_t
line_start(const struct script *s, size_t at)
{
	while (at > 0 && s->text[at - 1] != '\n')
		at--;
	return at;
}

static size_t
line_end(const struct script *s, size_t at)
{
	return at + strcspn(s->text + at, "\n");
}

/* TEXT is taken over. */
static void
replace(struct script *s, size_t start, size_t end, char *text)
{
	edits_add(s->edits, start, end, text);
	s->kept[start] = true;
}

static const struct shell_word *
word(const struct script *s, int i)
{
	return &s->a->words.at[i];
}

/* Everything of an argument stands together. */
static size_t
argument_end(const struct script *s, const struct argument *x)
{
	const struct shell_word *flag = word(s, x->flag), *last = word(s, x->flag + x->words);

	if (last->kind != flag->kind || last->group != flag->group || last->to < flag->to)
		place_die(argument_place(s->a, x), "%.*s: its value stands elsewhere; write it behind its name",
		    (int)(flag->end - flag->start), s->text + flag->start);
	return last->to;
}

/* With the blanks before it, or behind it where it is the first. */
static void
remove_argument(struct script *s, const struct argument *x)
{
	size_t start = word(s, x->flag)->from, end = argument_end(s, x), i = start;

	while (i > 0 && (blank(s->text[i - 1]) || s->gone[i - 1]))
		i--;
	if (i > 0 && s->text[i - 1] != '\n' && i < start && s->text[i - 1] != '(')
		start = i;
	else
		while (blank(s->text[end]) && s->text[end + 1] != '\\' && s->text[end + 1] != '\n')
			end++;
	for (i = start; i < end; i++)
		s->gone[i] = true;
}

/* How a value is written where W stands. */
static char *
written(const struct shell_word *w, const char *value, bool words)
{
	bool plain = strspn(value, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_,.-") ==
	    strlen(value);

	if (plain || words)
		return xstrdup(value);
	/* Quotes within quotes, for the shell that reads it once more. */
	if (w->again && w->kind != SHELL_STRING && w->quote == '\0')
		return xasprintf("\"'%s'\"", value);
	if (w->again)
		return xasprintf(w->quote == '\'' ? "\"%s\"" : "'%s'", value);
	if (w->kind == SHELL_STRING)
		return xstrdup(value);
	return w->quote != '\0' ? xstrdup(value) : xasprintf("\"%s\"", value);
}

/* A number or a word without variables in [START, END), or behind ":-" in "${NAME:-4}"; false: it is none. */
static bool
literal(const struct script *s, size_t *start, size_t *end)
{
	const char *t = s->text;
	size_t name, n = shell_name(&s->a->shell, *start, *end, &name);

	if (*end > *start + 1 && (t[*start] == '"' || t[*start] == '\'') && t[*end - 1] == t[*start]) {
		++*start;
		--*end;
		return literal(s, start, end);
	}
	/* "${1:-4}", too. */
	if (n == 0 && t[*start] == '$' && t[*start + 1] == '{' && isdigit((unsigned char)t[*start + 2]))
		for (name = *start + 2; isdigit((unsigned char)t[name + n]); n++)
			continue;
	if (n > 0 && t[*start + 1] == '{') {
		size_t at = name + n;

		at += t[at] == ':';
		if (t[at] != '-' && t[at] != '=')
			return false;
		*start = at + 1;
		--*end;
		return literal(s, start, end);
	}
	for (size_t i = *start; i < *end; i++)
		if (!isalnum((unsigned char)t[i]) && strchr("_-.,|()*", t[i]) == NULL)
			return false;
	return true;
}

/* Is [AT, AT + N) within $(( )) of its line? */
static bool
in_sum(const struct script *s, size_t at)
{
	size_t start = line_start(s, at);
	int depth = 0;

	for (size_t i = start; i + 1 < at; i++) {
		depth += s->text[i] == '(' && s->text[i + 1] == '(';
		depth -= s->text[i] == ')' && s->text[i + 1] == ')';
	}
	return depth > 0;
}

static bool
in_comment(const struct script *s, size_t at)
{
	size_t start = line_start(s, at);

	return s->text[start + strspn(s->text + start, " \t")] == '#';
}

static const char *
want_of(const struct script *s, const struct argument *x)
{
	return !x->earlier && s->w->decided[x->option] ? s->w->launch.value[x->option] : NULL;
}

/* Is what stands at AT the value of an argument that is to become VALUE? */
static bool
becomes(const struct script *s, size_t at, const char *value)
{
	for (int i = 0; i < s->a->n; i++) {
		const struct argument *x = &s->a->at[i];
		const struct shell_word *first = word(s, x->flag), *last = word(s, x->flag + x->words);
		const char *want = want_of(s, x);

		if ((x->joined > 0 || x->words > 0) && at >= first->start && at < last->to && want != NULL &&
		    strcmp(want, value) == 0)
			return true;
	}
	return false;
}

/* Is the variable there for nothing but arguments that become VALUE? */
static bool
for_this_alone(const struct script *s, const char *name, size_t n, size_t from, size_t to, const char *value)
{
	const char *t = s->text;

	for (const char *p = t; (p = memmem(p, s->length - (size_t)(p - t), name, n)) != NULL; p += n) {
		size_t at = (size_t)(p - t), begin = at - (at > 0 && t[at - 1] == '{');
		bool longer = isalnum((unsigned char)p[n]) || p[n] == '_' ||
		    (at > 0 && (isalnum((unsigned char)t[at - 1]) || t[at - 1] == '_'));
		bool used = (begin > 0 && t[begin - 1] == '$') || in_sum(s, at);

		if (longer || !used || (at >= from && at < to) || in_comment(s, at))
			continue;
		if (!becomes(s, at, value))
			return false;
	}
	return true;
}

/* The one assignment of the variable that [START, END) is; NULL: there is none. */
static const struct shell_variable *
assignment(const struct script *s, size_t start, size_t end)
{
	size_t at, n = shell_name(&s->a->shell, start, end, &at);
	const struct shell_variable *v;
	int all = 0;

	if (n == 0)
		return NULL;
	for (int i = 0; i < s->a->shell.variables; i++)
		all += strlen(s->a->shell.variable[i].name) == n &&
		    memcmp(s->a->shell.variable[i].name, s->text + at, n) == 0;
	v = shell_assignment(&s->a->shell, s->text + at, n, start);
	return v != NULL && all == 1 && !v->unsure && !v->array ? v : NULL;
}

static bool
edited(const struct script *s, size_t start)
{
	for (size_t i = 0; i < s->edits->n; i++)
		if (s->edits->at[i].start == start)
			return true;
	return false;
}

/* Change what the value [START, END) of an argument is given by; false: it must be written in its place. */
static bool
change_variable(struct script *s, enum launch_option o, size_t start, size_t end, const char *value)
{
	const struct shell_variable *v = assignment(s, start, end);
	bool devices = o == LAUNCH_NODES || o == LAUNCH_NODE_DEVICES;
	size_t at, n = shell_name(&s->a->shell, start, end, &at), from, to;

	if (v == NULL) {
		/* "${NAME:-4}" of the environment. */
		if (n == 0 || s->text[start + 1] != '{' || !literal(s, &start, &end) ||
		    shell_assignment(&s->a->shell, s->text + at, n, start) != NULL ||
		    !for_this_alone(s, s->text + at, n, 0, 0, value))
			return false;
		if (!edited(s, start))
			replace(s, start, end, xstrdup(value));
		return true;
	}
	from = v->start;
	to = v->end;
	if (!literal(s, &from, &to) || (!devices && !for_this_alone(s, v->name, n, v->start, v->end, value)))
		return false;
	if (!edited(s, from))
		replace(s, from, to, xstrdup(value));
	if (devices && s->a->shell.changes < 2) {
		s->a->shell.change[s->a->shell.changes].of = v;
		s->a->shell.change[s->a->shell.changes++].value = value;
	}
	return true;
}

static void
change(struct script *s, const struct argument *x, const char *value)
{
	const struct shell_word *first = word(s, x->joined > 0 ? x->flag : x->flag + 1);
	const struct shell_word *last = word(s, x->flag + x->words);
	size_t start = x->joined > 0 ? x->joined : x->words > 1 ? first->from : first->start;
	size_t end = x->words > 1 ? last->to : first->end;
	bool words = launch_takes(x->option) < 0;
	struct shell_word in = *first;

	argument_end(s, x);
	if (x->joined > 0 && end > start + 1 && (s->text[start] == '"' || s->text[start] == '\'') &&
	    s->text[end - 1] == s->text[start]) {
		in.quote = s->text[start++];
		end--;
	}
	if (!words && change_variable(s, x->option, start, end, value))
		return;
	replace(s, start, end, written(&in, value, words));
}

static void
change_or_remove(struct script *s, const struct argument *x)
{
	const char *want = want_of(s, x);

	if (!x->earlier && !s->w->decided[x->option])
		return;
	argument_check(s->a, x);
	if (want == NULL)
		remove_argument(s, x);
	else if (strcmp(want, x->value) != 0)
		change(s, x, want);
}

/* What new arguments stand beside: it stays where it is. */
static const struct argument *
beside(const struct script *s)
{
	static const enum launch_option order[] = { LAUNCH_STAGES, LAUNCH_TENSOR, LAUNCH_MICRO_BATCH,
		LAUNCH_GLOBAL_BATCH, LAUNCH_LAYERS, LAUNCH_SEQ_LENGTH };

	for (size_t i = 0; i < sizeof order / sizeof order[0]; i++) {
		const struct argument *x = argument_of(s->a, order[i]);

		if (x != NULL && !word(s, x->flag)->unsure && (!s->w->decided[order[i]] || want_of(s, x) != NULL))
			return x;
	}
	place_die((struct place){ s->a->shell.source, 0 }, "no place for new arguments: "
	    "no --num-layers outside of ifs");
}

/* What divides new arguments from the one they stand beside, and *AT, where they stand; to be freed. */
static char *
divider(const struct script *s, const struct argument *x, size_t *at)
{
	const struct shell_word *flag = word(s, x->flag);
	size_t start = line_start(s, flag->from), end = argument_end(s, x), rest;
	bool first = start + strspn(s->text + start, " \t") == flag->from, goes_on;
	int indent = (int)(flag->from - start);

	*at = end;
	for (rest = end; blank(s->text[rest]); rest++)
		continue;
	goes_on = s->text[rest] == '\\' && s->text[rest + 1] == '\n';
	if (!first || (!goes_on && flag->kind == SHELL_COMMAND && s->text[rest] != '\n' && s->text[rest] != '\0') ||
	    strchr("\\\n#)\"'", s->text[rest]) == NULL)
		return xstrdup(" ");
	/* A comment stays with what it stands behind. */
	if (s->text[rest] == '#')
		*at = line_end(s, rest);
	if (!goes_on && flag->kind == SHELL_STRING && flag->quote != '\'')
		goes_on = memmem(s->text + flag->group, flag->group_end - flag->group, "\\\n", 2) != NULL;
	goes_on |= flag->kind == SHELL_COMMAND;
	return xasprintf("%s\n%.*s", goes_on ? " \\" : "", indent, s->text + start);
}

static void
add_missing(struct script *s)
{
	const struct argument *x = NULL;
	char *text = NULL, *between = NULL;
	size_t size, at = 0;
	FILE *f = memstream_open(&text, &size);

	for (int o = 0; o < LAUNCH_OPTIONS; o++) {
		const char *want = s->w->decided[o] ? s->w->launch.value[o] : NULL;
		int takes = launch_takes((enum launch_option)o);
		char *value;

		if (want == NULL || argument_of(s->a, (enum launch_option)o) != NULL)
			continue;
		if (x == NULL) {
			x = beside(s);
			between = divider(s, x, &at);
		}
		value = written(word(s, x->flag), want, takes < 0);
		fprintf(f, "%s%s%s%s", between, launch_name((enum launch_option)o), takes == 0 ? "" :
		    takes == 1 && x->joined > 0 ? "=" : " ", value);
		free(value);
	}
	memstream_close(f);
	if (x != NULL)
		replace(s, at, at, text);
	else
		free(text);
	free(between);
}

/* A line of which nothing is left goes, and the line before it does not go on where this one did not. */
static void
close_lines(struct script *s)
{
	for (size_t start = 0, end; start < s->length; start = end) {
		bool any = false, left = false, goes_on = false;

		end = line_end(s, start);
		for (size_t i = start; i < end; i++) {
			any |= s->gone[i];
			goes_on = s->text[i] == '\\';
			left |= s->kept[i] || (!s->gone[i] && !blank(s->text[i]) && !(goes_on && i + 1 == end));
		}
		left |= s->kept[end];
		end += s->text[end] == '\n';
		if (!any || left)
			continue;
		for (size_t i = start; i < end; i++)
			s->gone[i] = true;
		/* The last line before it that is left. */
		for (size_t i = start; !goes_on && i > 1;) {
			if (s->gone[i - 1]) {
				i--;
				continue;
			}
			if (s->text[i - 1] != '\n' || s->text[i - 2] != '\\')
				break;
			for (i -= 2; i > 0 && blank(s->text[i - 1]); i--)
				s->gone[i - 1] = true;
			s->gone[i + strspn(s->text + i, " \t")] = true;
			break;
		}
	}
}

static void
remove_gone(struct script *s)
{
	for (size_t i = 0; i < s->length; i++) {
		size_t start = i;

		while (i < s->length && s->gone[i])
			i++;
		if (i > start)
			edits_add(s->edits, start, i, xstrdup(""));
	}
}

/* A script that is read in may set what stands before it, and what is not set here. */
static void
check_sourced(const struct script *s)
{
	const struct shell *sh = &s->a->shell;

	for (int i = 0; sh->sourced > 0 && i < s->a->n; i++) {
		const struct argument *x = &s->a->at[i];
		size_t start = x->joined > 0 ? x->joined : word(s, x->flag + x->words)->start, at, n;
		const struct shell_variable *v;

		if ((!x->earlier && !s->w->decided[x->option]) || (x->joined == 0 && x->words == 0))
			continue;
		n = shell_name(sh, start, word(s, x->flag + x->words)->end, &at);
		v = n > 0 ? shell_assignment(sh, sh->text + at, n, start) : NULL;
		if (n > 0 && (v == NULL || v->at < sh->sourced_at ||
		    memchr(sh->text + v->start, '$', v->end - v->start) != NULL))
			place_die((struct place){ sh->source, sh->sourced }, "the script that is read in here may set "
			    "%.*s, which says %.*s on line %ld", (int)n, sh->text + at,
			    (int)(word(s, x->flag)->end - word(s, x->flag)->start), sh->text + word(s, x->flag)->start,
			    argument_place(s->a, x).line);
	}
}

void
script_edits(struct edits *e, struct arguments *a, const struct wanted *w)
{
	struct script s = { .a = a, .w = w, .edits = e, .text = a->shell.text, .length = strlen(a->shell.text) };

	s.gone = xcalloc(s.length + 1, sizeof *s.gone);
	s.kept = xcalloc(s.length + 1, sizeof *s.kept);
	check_sourced(&s);
	/* Others may be computed from these. */
	for (int i = 0; i < a->n; i++)
		if (!a->at[i].earlier && (a->at[i].option == LAUNCH_NODES || a->at[i].option == LAUNCH_NODE_DEVICES))
			change_or_remove(&s, &a->at[i]);
	if (a->shell.changes > 0)
		arguments_again(a);
	for (int i = 0; i < a->n; i++)
		if (a->at[i].earlier || (a->at[i].option != LAUNCH_NODES && a->at[i].option != LAUNCH_NODE_DEVICES))
			change_or_remove(&s, &a->at[i]);
	add_missing(&s);
	close_lines(&s);
	remove_gone(&s);
	free(s.gone);
	free(s.kept);
}
