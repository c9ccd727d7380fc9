#include "programs.h"

#include <ctype.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/alloc.h"
#include "lib/base/option.h"
#include "lib/base/slurp.h"
#include "lib/base/whole.h"
#include "unknown.h"

enum { SCRIPT_MOST = 256 << 20, LIMIT = 60, TOLD_APART = 6 };
/* maximum time of a further run, s. It computes as much as the first run. */
static const double limit_again = 20;

bool
programs_looks_like(const char *text)
{
	return strncmp(text, "#!", 2) == 0 && memmem(text, strcspn(text, "\n"), "sh", 2) != NULL;
}

/*
 * Return whether P precedes Q in the script. Times do not show that, since jobs in the background may start in any
 * order.
 */
static bool
before(const struct program *p, const struct program *q)
{
	int order = strcmp(p->source, q->source);

	return order != 0 ? order < 0 : p->line != q->line ? p->line < q->line : strcmp(p->program, q->program) < 0;
}

static void
take(struct programs *all, const struct notes *notes)
{
	for (int i = 0; i < notes->n; i++) {
		const struct note *x = &notes->at[i];
		struct program p = { .line = (int)x->line };
		int at, variables = x->kind == NOTE_LAUNCH && x->words.n > 0 ? whole_of(x->words.at[0], INT_MAX) : 0;

		if (x->kind != NOTE_LAUNCH)
			continue;
		p.source = xstrdup(x->source);
		for (int k = 1; k <= variables; k++)
			texts_add(&p.environment, x->words.at[k]);
		program_split(&p, &x->words, 1 + variables);
		(void)APPEND(all->at, all->n);
		for (at = all->n - 1; at > 0 && before(&p, &all->at[at - 1]); at--)
			all->at[at] = all->at[at - 1];
		all->at[at] = p;
	}
}

void
programs_free(struct programs *all)
{
	for (int i = 0; i < all->n; i++)
		fields_free(&program_fields, &all->at[i]);
	free(all->at);
	*all = (struct programs){ 0 };
}

static bool
same_start(const struct program *p, const struct program *q)
{
	return p->line == q->line && strcmp(p->program, q->program) == 0 && strcmp(p->source, q->source) == 0;
}

struct program *
programs_same(const struct programs *all, const struct programs *other, int n)
{
	int count = 0;

	for (int i = 0; i < n; i++)
		count += same_start(&other->at[i], &other->at[n]);
	for (int i = 0; i < all->n; i++)
		if (same_start(&all->at[i], &other->at[n]) && count-- == 0)
			return &all->at[i];
	return NULL;
}

static bool
same_stand_in(const struct note *a, const struct note *b)
{
	return a->line == b->line && strcmp(a->words.at[0], b->words.at[0]) == 0;
}

/* Return the notes about programs that were not run, one for each program. Caller frees. */
static const struct note **
stand_ins(const struct notes *notes, int *n)
{
	const struct note **list = NULL;

	*n = 0;
	for (int i = 0; i < notes->n; i++) {
		int k = 0;

		if (notes->at[i].kind != NOTE_STAND_IN)
			continue;
		while (k < *n && !same_stand_in(list[k], &notes->at[i]))
			k++;
		if (k == *n)
			*APPEND(list, *n) = &notes->at[i];
	}
	return list;
}

static struct programs
run_again(const struct script_call *call, int stand_in, const struct note *only)
{
	struct programs other = { 0 };
	struct bash_run r;
	char *key = only != NULL ? xasprintf("%ld:%s", only->line, only->words.at[0]) : NULL;

	bash_run(&r, call, stand_in, key, limit_again);
	/* Ignore a run that was ended at a limit. */
	if (!r.late && !r.many)
		take(&other, &r.notes);
	bash_run_free(&r);
	free(key);
	return other;
}

static int
unknowns(const struct programs *all)
{
	int n = 0;

	for (int i = 0; i < all->n; i++)
		n += all->at[i].unknown.n;
	return n;
}

/* Warn if the output of other programs determines which programs are started. */
static void
check_same(const struct programs *all, const struct programs *other, const struct note *of, const char *path)
{
	for (int i = 0; i < other->n; i++)
		if (programs_same(all, other, i) == NULL)
			place_die((struct place){ path, of->line }, "'%s' is not run here, but its output decides "
			    "whether line %d starts '%s': write that output into the script", of->words.at[0],
			    other->at[i].line, *other->at[i].program != '\0' || other->at[i].launcher.n == 0 ?
			    other->at[i].program : other->at[i].launcher.at[0]);
}

/* Run the script with other output of the programs that are not run, and compare the programs that it starts. */
static void
vary(struct programs *all, const struct script_call *call, const struct notes *notes, const char *text)
{
	int n, before = unknowns(all);
	const struct note **of = stand_ins(notes, &n);

	/* Random values differ between runs even if no output is replaced. */
	for (int k = 1; k < (n > 0 ? STAND_INS : strstr(text, "RANDOM") != NULL ? 2 : 0); k++) {
		struct programs other = run_again(call, k, NULL);

		if (n > 0)
			check_same(all, &other, of[0], call->path);
		unknown_compare(all, &other, n == 1 ? of[0] : NULL, text);
		programs_free(&other);
	}
	/* Find out which of several programs changed the arguments by replacing the output of one at a time. */
	for (int i = 0; i < n && n > 1 && n <= TOLD_APART && unknowns(all) > before; i++)
		for (int k = 1; k < STAND_INS; k++) {
			struct programs other = run_again(call, k, of[i]);

			unknown_compare(all, &other, of[i], text);
			programs_free(&other);
		}
	free(of);
}

/* Return the last line of TEXT that set -x did not print, without blanks at its end. */
static const char *
last_line(char *text)
{
	for (;;) {
		char *end = text + strlen(text), *line;

		while (end > text && isspace((unsigned char)end[-1]))
			*--end = '\0';
		line = strrchr(text, '\n');
		line = line != NULL ? line + 1 : text;
		if (*line != '+' || line == text)
			return *line != '+' ? line : "";
		*line = '\0';
	}
}

/* Return the variables that are tested before LINE, as " (A, B)", or "". Caller frees. */
static char *
tested(const char *text, long line)
{
	enum { BACK = 8 };
	const char *end = text;
	char *names = xstrdup("");

	for (long k = 0; k < line && *end != '\0'; k++)
		end = strchrnul(end, '\n') + 1;
	for (int k = 0; k < BACK && end > text && *names == '\0'; k++) {
		const char *from = --end;

		while (from > text && from[-1] != '\n')
			from--;
		if (memmem(from, (size_t)(end - from), "if", 2) != NULL ||
		    memchr(from, '[', (size_t)(end - from)) != NULL)
			for (const char *c = from; (c = memchr(c, '$', (size_t)(end - c))) != NULL;) {
				size_t n = 0;
				char *more;

				c += 1 + (c[1] == '{');
				while (isalnum((unsigned char)c[n]) || c[n] == '_')
					n++;
				if (n == 0 || isdigit((unsigned char)*c) || memmem(names, strlen(names), c, n) != NULL)
					continue;
				more = xasprintf("%s%s%.*s", names, *names != '\0' ? ", " : " (", (int)n, c);
				free(names);
				names = more;
			}
		end = from;
	}
	if (*names != '\0') {
		char *all = xasprintf("%s)", names);

		free(names);
		names = all;
	}
	return names;
}

static _Noreturn void
die_without(const struct script_call *call, struct bash_run *r, const char *text, double limit)
{
	const struct note *exits = NULL;
	struct place at = { call->path, 0 };
	const char *error = last_line(r->errors), *colon = strstr(error, ": unbound variable");

	for (int i = 0; i < r->notes.n && exits == NULL; i++)
		if (r->notes.at[i].kind == NOTE_EXIT)
			exits = &r->notes.at[i];
	if (r->many)
		place_die(at, "the script starts more and more processes, but no program that trains");
	if (r->late)
		place_die(at, "the script starts no program and does not end: stopped after 10 s of processor time, or "
		    "%g s", limit);
	if (exits != NULL)
		place_die((struct place){ exits->source, exits->line }, "the script ends here, before it starts a "
		    "program; set its variables%s with -set NAME=VALUE, give its arguments, or ignore the exit with "
		    "-past-exit",
		    strcmp(exits->source, call->path) == 0 ? tested(text, exits->line) : "");
	if (colon != NULL) {
		const char *name = colon, *end, *line = strstr(error, ": line ");
		int n;

		/* A value of an array is its first element. */
		if (name - error > 3 && strncmp(name - 3, "[0]", 3) == 0)
			name -= 3;
		end = name;
		while (name > error && (isalnum((unsigned char)name[-1]) || name[-1] == '_'))
			name--;
		n = (int)(end - name);
		if (line != NULL && strncmp(line + 7 + strspn(line + 7, "0123456789"), ": ", 2) == 0)
			at.line = strtol(line + 7, NULL, 10);
		if (n == 0)
			place_die(at, "a variable is not set; bash: %s", error);
		if (name > error && name[-1] == '!')
			place_die(at, "the variable that %.*s names is not set; give each such variable: sapp-args "
			    "-set NAME=VALUE %s", n, name, call->path);
		if (isdigit((unsigned char)*name))
			place_die(at, "argument %.*s of the script is not set; give it: sapp-args %s ARGUMENT...", n,
			    name, call->path);
		place_die(at, "%.*s is not set; give it: sapp-args -set %.*s=VALUE %s", n, name, n, name, call->path);
	}
	for (int i = 0; i < r->notes.n; i++)
		if (r->notes.at[i].kind == NOTE_MISSING)
			place_warn((struct place){ call->path, r->notes.at[i].line }, "no such file: '%s'",
			    r->notes.at[i].words.at[0]);
	if (strstr(r->errors, "syntax error") != NULL)
		place_die(at, "not valid for bash: replace words in <...> by values; bash: %s",
		    error);
	place_die(at, "the script starts no known launcher (torchrun, python, ...)%s%s",
	    *error != '\0' ? "; the last message of bash: " : "", error);
}

/* If a failed command may have ended the script, run the script again as if without set -e. */
static void
go_on(struct programs *all, struct script_call *call, struct bash_run *r, double limit)
{
	const char *error = last_line(r->errors);
	struct programs more = { 0 };
	struct bash_run again;

	for (int i = 0; i < r->notes.n; i++)
		if (r->notes.at[i].kind == NOTE_EXIT)
			return;
	if (r->late || r->many || strstr(error, ": unbound variable") != NULL)
		return;
	call->go_on = true;
	bash_run(&again, call, 0, NULL, limit);
	take(&more, &again.notes);
	if (more.n <= all->n) {
		call->go_on = false;
		programs_free(&more);
		bash_run_free(&again);
		return;
	}
	programs_free(all);
	*all = more;
	place_warn((struct place){ call->path, 0 }, "a command fails here, which ends the script by set -e; read as if "
	    "without set -e%s%s", *error != '\0' ? "; bash: " : "", error);
	bash_run_free(r);
	*r = again;
}

/* Return whether any program has an argument for the number of layers. */
static bool
has_layers(const struct programs *all)
{
	for (int i = 0; i < all->n; i++)
		for (int k = 0; k < all->at[i].arguments.n; k++)
			if (strcmp(all->at[i].arguments.at[k], "--num-layers") == 0 ||
			    strncmp(all->at[i].arguments.at[k], "--hybrid-", 9) == 0)
				return true;
	return false;
}

/* Warn about everything that may make this run differ from a real one. */
static void
warn(const struct programs *all, const struct script_call *call, const struct notes *notes, const char *text)
{
	/* A file that does not exist may have had the missing arguments. */
	bool names_missing = option_verbose || !has_layers(all);
	struct place at = { call->path, 1 };

	if (strstr(text, "\r\n") != NULL)
		place_warn(at, "its lines end with a carriage return, which bash reads as part of the last word");
	for (int i = 0; i < notes->n; i++) {
		const struct note *x = &notes->at[i];

		at.line = x->line;
		if (x->kind == NOTE_STAND_IN && x->words.at[0][0] == '-')
			place_warn(at, "'%s' is run as a program: check that the line before it ends with a backslash "
			    "and no blank after it", x->words.at[0]);
		else if (x->kind == NOTE_MISSING && names_missing)
			place_warn(at, "no such file: '%s'", x->words.at[0]);
	}
}

/* Exit if the script is for another shell. */
static void
check_shell(const char *text, const char *path)
{
	static const char *const shells[] = { "bash", "sh", "dash", "ash", "env" };
	size_t n = strcspn(text, "\n"), end = 2;
	const char *name;

	if (strncmp(text, "#!", 2) != 0)
		return;
	end += strspn(text + end, " \t");
	end += strcspn(text + end, " \t\r\n");
	for (name = text + end; name > text + 2 && name[-1] != '/' && name[-1] != ' '; name--)
		continue;
	if (strncmp(name, "env", 3) == 0) {
		name = text + end + strspn(text + end, " \t");
		if (strncmp(name, "-S", 2) == 0)
			name += 2 + strspn(name + 2, " \t");
		end = (size_t)(name - text) + strcspn(name, " \t\r\n");
	}
	for (size_t i = 0; i < sizeof shells / sizeof shells[0]; i++)
		if (strlen(shells[i]) == (size_t)(text + end - name) &&
		    strncmp(shells[i], name, strlen(shells[i])) == 0)
			return;
	place_die((struct place){ path, 1 }, "not a script of bash or sh '%.*s'", (int)n, text);
}

/* Check that a text is "NAME=value" with a valid name. */
static void
check_set(const char *set)
{
	size_t n = 0;

	while (isalnum((unsigned char)set[n]) || set[n] == '_')
		n++;
	if (n == 0 || isdigit((unsigned char)*set) || set[n] != '=')
		option_usage("-set: expected NAME=VALUE '%s'", set);
}

void
programs_read(struct programs *all, const struct script_call *given)
{
	struct script_call call = *given;
	struct bash_run r;
	size_t length;
	char *text = call.text != NULL ? xstrdup(call.text) : slurp(call.path, SCRIPT_MOST, &length);
	double limit = call.limit > 0 ? call.limit : LIMIT;

	*all = (struct programs){ 0 };
	for (int i = 0; i < call.set.n; i++)
		check_set(call.set.at[i]);
	if (call.text == NULL && strcmp(call.path, "-") == 0) {
		call.path = "<stdin>";
		call.text = text;
	}
	if (call.text == NULL && strlen(text) != length)
		place_die((struct place){ call.path, 0 }, "not a script: it contains a NUL byte");
	check_shell(text, call.path);
	bash_run(&r, &call, 0, NULL, limit);
	take(all, &r.notes);
	if (!programs_train(all))
		go_on(all, &call, &r, limit);
	if (all->n == 0)
		die_without(&call, &r, text, limit);
	if (r.late)
		place_warn((struct place){ call.path, 0 }, "the script does not end; the programs that it started "
		    "until then are used");
	warn(all, &call, &r.notes, text);
	vary(all, &call, &r.notes, text);
	unknown_unset(all, text);
	bash_run_free(&r);
	free(text);
}

void
programs_once(struct programs *all, const struct script_call *call)
{
	*all = run_again(call, 0, NULL);
}
