#include "started.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "lib/base/alloc.h"
#include "lib/record/record.h"
#include "listed.h"
#include "spelled.h"

struct script_call started_call;
int started_launch;
bool started_no_scripts;

static const char launch_member[] = "\"kind\":\"launch\"";

/* Return the first line that is neither blank nor a comment. */
static const char *
first_line(const char *text)
{
	for (;;) {
		text += strspn(text, " \t\r\n\\");
		if (*text != '#')
			return text;
		text += strcspn(text, "\n");
	}
}

static bool
ends_with(const char *path, const char *const *ends)
{
	size_t n = strlen(path);

	for (; *ends != NULL; ends++)
		if (n > strlen(*ends) && strcmp(path + n - strlen(*ends), *ends) == 0)
			return true;
	return false;
}

/* Return whether a line begins with a word such as "--num-layers" or "model.num_layers=4". */
static bool
is_list(const char *line)
{
	size_t n = strcspn(line, "= \t\r\n");

	line += *line == '"' || *line == '\'';
	return (strncmp(line, "--", 2) == 0 && isalpha((unsigned char)line[2])) ||
	    (line[n] == '=' && memchr(line, '.', n) != NULL && memchr(line, '/', n) == NULL &&
	    isalpha((unsigned char)*line));
}

/* Return whether a line has the form "name:" or "name: value". */
static bool
is_yaml(const char *line)
{
	size_t n = strcspn(line, ": \t\r\n=$(");

	return strncmp(line, "---", 3) == 0 || strncmp(line, "- ", 2) == 0 || *line == '{' || *line == '[' ||
	    (n > 0 && line[n] == ':' && (line[n + 1] == '\0' || isspace((unsigned char)line[n + 1])));
}

static bool
is_script(const char *path, const char *text)
{
	static const char *const scripts[] = { ".sh", ".bash", ".slurm", ".sbatch", ".sub", NULL };
	static const char *const others[] = { ".yaml", ".yml", ".json", ".jsonl", ".toml", ".py", ".md", ".log", ".csv",
		NULL };

	if (programs_looks_like(text) || ends_with(path, scripts))
		return true;
	return !ends_with(path, others) && !is_yaml(first_line(text)) && strstr(text, "--") != NULL;
}

/* Return the number of the line with WORD as a whole word, from 1; 0: none. */
static long
line_with(const char *text, const char *word, size_t n)
{
	long line = 1;

	for (const char *c = text, *found; (found = memmem(c, strlen(c), word, n)) != NULL; c = found + 1) {
		for (; c < found; c++)
			line += *c == '\n';
		if ((found == text || strchr(" \t\n\"'(=", found[-1]) != NULL) &&
		    strchr(" \t\r\n\"')=\\", found[n]) != NULL)
			return line;
		line += *found == '\n';
	}
	return 0;
}

/* Find the line of each argument's name in the script. */
static void
find_lines(struct started *s, const char *text)
{
	const struct texts *a = &s->program.arguments;
	long last = s->place.line;

	s->line = xcalloc((size_t)a->n + 1, sizeof *s->line);
	for (int i = 0; i < a->n; i++) {
		if (a->at[i][0] == '-' && text != NULL) {
			long line = line_with(text, a->at[i], strcspn(a->at[i], "="));

			last = line > 0 ? line : s->place.line;
		}
		s->line[i] = last;
	}
}

static void
take_program(struct started *s, struct programs *all, const char *source, const char *text)
{
	const struct program *p = programs_training(all, started_launch, (struct place){ source, 0 });

	fields_copy(&program_fields, &s->program, p);
	s->place = (struct place){ source, p->line };
	s->number = (int)(p - all->at) + 1;
	s->of = all->n;
	find_lines(s, text != NULL && strcmp(p->source, source) == 0 ? text : NULL);
	programs_free(all);
}

/*
 * Read launch records from TEXT. Return false if the first line is not a launch record. Exit if a later line is not
 * one.
 */
static bool
from_records(struct started *s, const char *text, const char *source)
{
	struct programs all = { 0 };
	struct place at = { source, 0 };

	if (text[0] != '{' || memmem(text, strcspn(text, "\n"), launch_member, strlen(launch_member)) == NULL)
		return false;
	for (const char *end; *text != '\0'; text = *end == '\n' ? end + 1 : end) {
		json_error_t error;
		json_t *object;
		struct program p = { 0 };

		end = strchrnul(text, '\n');
		at.line++;
		if (end == text)
			continue;
		object = json_loadb(text, (size_t)(end - text), 0, &error);
		if (object == NULL)
			place_die(at, "not a launch record: %s", error.text);
		fields_get(&program_fields, &p, object, at);
		json_decref(object);
		*APPEND(all.at, all.n) = p;
	}
	take_program(s, &all, source, NULL);
	return true;
}

struct words {
	struct started *to;
	const char *at;
	long line;
};

/* Return the next word of a list of arguments. */
static char *
next_word(struct words *w, struct place *at)
{
	char *word = xcalloc(strlen(w->at) + 1, 1), quote = '\0';
	size_t n = 0;
	bool any = false;

	for (;; w->at++) {
		if (*w->at == '\\' && (w->at[1] == '\n' || (w->at[1] == '\r' && w->at[2] == '\n')))
			w->at++;
		else if (*w->at == '#')
			w->at += strcspn(w->at, "\n");
		if (!isspace((unsigned char)*w->at))
			break;
		w->line += *w->at == '\n';
	}
	at->line = w->line;
	for (; *w->at != '\0' && (quote != '\0' || !isspace((unsigned char)*w->at)); w->at++) {
		w->line += *w->at == '\n';
		any = true;
		if (*w->at == '\\' && quote != '\'' && w->at[1] != '\0') {
			if (w->at[1] == '\n')
				break;
			word[n++] = *++w->at;
		} else if (quote == '\0' && (*w->at == '"' || *w->at == '\'')) {
			quote = *w->at;
		} else if (*w->at == quote) {
			quote = '\0';
		} else if ((*w->at == '$' || *w->at == '`') && quote != '\'') {
			place_die(*at, "a list of arguments has no variables; give the script that starts the "
			    "program '%.20s'", w->at);
		} else {
			word[n++] = *w->at;
		}
	}
	if (any)
		return word;
	free(word);
	return NULL;
}

void
started_list(struct started *s, const char *text, const char *source)
{
	struct words w = { s, text, 1 };
	struct place at = { source, 1 };
	char *word;
	long option = 0;
	int room = 0;

	*s = (struct started){ .place = { source, 1 } };
	s->program.source = xstrdup(source);
	s->program.program = xstrdup("");
	s->program.line = 1;
	while ((word = next_word(&w, &at)) != NULL) {
		if (*word == '-' || option == 0)
			option = at.line;
		*APPEND(s->line, room) = option;
		texts_add(&s->program.arguments, word);
		free(word);
	}
}

bool
started_is(const char *path, const char *text, size_t length)
{
	char *listed = listed_command(text, length);
	bool record = text[0] == '{' && memmem(text, strcspn(text, "\n"), launch_member, strlen(launch_member)) != NULL;

	free(listed);
	return listed != NULL || (strlen(text) == length && (record || is_list(first_line(text)) ||
	    is_script(path, text)));
}

bool
started_read(struct started *s, const char *path, const char *text, size_t length, const char *source)
{
	char *listed = listed_command(text, length);
	struct script_call call = started_call;
	struct programs all;

	*s = (struct started){ .place = { source, 0 } };
	if (listed != NULL) {
		started_list(s, listed, source);
		s->listed = true;
		free(listed);
		return true;
	}
	if (strlen(text) != length)
		return false;
	if (from_records(s, text, source))
		return true;
	if (is_list(first_line(text)) && !programs_looks_like(text)) {
		started_list(s, text, source);
		return true;
	}
	if (!is_script(path, text))
		return false;
	if (started_no_scripts)
		place_die(s->place, "a script, which is not run here");
	call.path = source;
	call.text = text;
	programs_read(&all, &call);
	take_program(s, &all, source, text);
	return true;
}

bool
started_again(struct started *s, const char *path, const char *text, size_t length, const struct started *like)
{
	struct script_call call = started_call;
	struct programs all;
	bool same;

	if (like->of == 0)
		return started_read(s, path, text, length, like->place.source);
	call.path = like->place.source;
	call.text = text;
	programs_once(&all, &call);
	same = all.n == like->of;
	if (same) {
		*s = (struct started){ .place = { like->place.source, all.at[like->number - 1].line } };
		fields_copy(&program_fields, &s->program, &all.at[like->number - 1]);
		s->number = like->number;
		s->of = like->of;
		find_lines(s, NULL);
	}
	programs_free(&all);
	return same;
}

void
started_free(struct started *s)
{
	fields_free(&program_fields, &s->program);
	free(s->line);
	free(s->file);
	*s = (struct started){ 0 };
}

const struct unknown_argument *
started_unknown(const struct started *s, const char *name)
{
	const struct unknown_argument *x = s->program.unknown.at;

	name += strspn(name, "-");
	for (int i = 0; i < s->program.unknown.n; i++)
		if (spelled_alike(x[i].argument + strspn(x[i].argument, "-"), name))
			return &x[i];
	return NULL;
}

char *
started_why(const struct started *s, const struct unknown_argument *x)
{
	bool number = x->variable != NULL && isdigit((unsigned char)x->variable[0]);
	char *give = x->variable == NULL ? xstrdup("write its value into the script") : number ?
	    xasprintf("give it: sapp-args %s ARGUMENT...", s->program.source) :
	    xasprintf("give it: sapp-args -set %s=VALUE %s", x->variable, s->program.source), *why;

	if (x->from != NULL)
		why = xasprintf("%s comes from '%s' (line %d), which is not run here; %s", x->argument, x->from,
		    x->line, give);
	else if (x->variable != NULL)
		why = xasprintf("%s has no value: %s%s is not set; %s", x->argument, number ? "argument " : "",
		    x->variable, give);
	else
		why = xasprintf("%s differs from run to run of the script; %s", x->argument, give);
	free(give);
	return why;
}

struct place
started_place(const struct started *s, int i)
{
	return (struct place){ s->place.source, s->line[i] };
}

const char *
started_override(const char *word, size_t *length, const char **value)
{
	/* Parts of the settings of verl and NeMo-RL that are not for the actor or policy. */
	static const char *const others[] = { "rollout.", "ref.", "critic.", "reward_model.", "reward.", "teacher.",
		"value.", "generation.", "draft.", NULL };
	static const char divided[] = "use_distributed_optimizer";
	const char *equal = strchr(word, '='), *key = word;

	if (word[0] == '-' || equal == NULL)
		return NULL;
	/* The name of NeMo's optimizer says whether its states are divided. */
	if (equal - word >= 11 && strncmp(equal - 11, ".optim.name", 11) == 0) {
		*length = sizeof divided - 1;
		*value = "true";
		return strstr(equal, "distributed") != NULL ? divided : NULL;
	}
	for (const char *dot; (dot = memchr(key, '.', (size_t)(equal - key))) != NULL; key = dot + 1)
		for (int i = 0; others[i] != NULL; i++)
			if (strncmp(key + strspn(key, "+"), others[i], strlen(others[i])) == 0)
				return NULL;
	*length = (size_t)(equal - key);
	*value = strcasecmp(equal + 1, "null") == 0 || strcasecmp(equal + 1, "none") == 0 ? NULL : equal + 1;
	return key != word && *value != NULL ? key : NULL;
}

bool
started_of_verl(const struct started *s)
{
	static const char actor[] = "actor_rollout_ref.";

	for (int i = 0; i < s->program.arguments.n; i++) {
		const char *word = s->program.arguments.at[i];

		if (strncmp(word + strspn(word, "+"), actor, sizeof actor - 1) == 0)
			return true;
	}
	return false;
}

bool
started_of_deepspeed(const struct started *s)
{
	const struct texts *a = &s->program.arguments;
	bool uses = false;

	for (int i = 0; i < a->n; i++)
		uses |= strcmp(a->at[i], "--deepspeed") == 0;
	return uses;
}

bool
started_is_option(const char *word)
{
	return word[0] == '-' && word[1] == '-' && isalpha((unsigned char)word[2]);
}

char *
started_value(const struct started *s, int *i)
{
	const struct texts *a = &s->program.arguments;
	const char *equal = strchr(a->at[*i], '=');
	char *value = equal != NULL ? xstrdup(equal + 1) : NULL;

	for (++*i; equal == NULL && *i < a->n && !started_is_option(a->at[*i]); ++*i) {
		char *more = value == NULL ? xstrdup(a->at[*i]) : xasprintf("%s %s", value, a->at[*i]);

		free(value);
		value = more;
	}
	return value;
}
