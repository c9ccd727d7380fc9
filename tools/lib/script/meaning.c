#include "meaning.h"

#include <stdlib.h>
#include <string.h>

#include "lib/base/alloc.h"
#include "lib/base/share.h"
#include "lib/base/slurp.h"
#include "lib/base/spelling.h"

enum { FILE_MOST = 1 << 20 };

bool meaning_lenient;

/* All arguments with their classes. A class is "read", "no effect", or the results that the argument affects. */
struct meanings {
	char *text;
	int n;
	const char **name;	/* NULL-terminated */
	const char **class_of;
};

/* Read lines "[class]" and the lines of names after each; # begins a comment. */
static struct meanings
read_meanings(void)
{
	char *path = share_path("arguments"), *line, *rest, *word;
	struct meanings m = { .n = 0 };
	const char *class_now = NULL;
	size_t length;
	int names = 0, classes = 0;

	m.text = rest = slurp(path, FILE_MOST, &length);
	while ((line = strsep(&rest, "\n")) != NULL) {
		if (*line == '[') {
			line[strcspn(line, "]")] = '\0';
			class_now = line + 1;
		} else if (*line != '#') {
			while ((word = strsep(&line, " ")) != NULL)
				if (*word != '\0') {
					*APPEND(m.name, names) = word;
					*APPEND(m.class_of, classes) = class_now;
				}
		}
	}
	m.n = names;
	*APPEND(m.name, names) = NULL;
	free(path);
	return m;
}

/* Return whether two names are equal. A dash equals an underscore, and a final * in B matches any end of A. */
static bool
alike(const char *a, const char *b)
{
	for (; *a != '\0' && (*a == *b || (*a == '_' && *b == '-')); a++)
		b++;
	return *a == *b || *b == '*';
}

/* Return the class of NAME=VALUE, or the class of NAME if NAME=VALUE has none. */
static const char *
class_of(const struct meanings *m, const char *name, const char *value)
{
	char *both = value != NULL ? xasprintf("%s=%s", name, value) : xstrdup(name);
	const char *of = NULL;

	for (int i = 0; i < m->n; i++) {
		if (alike(both, m->name[i])) {
			of = m->class_of[i];
			break;
		}
		if (of == NULL && alike(name, m->name[i]))
			of = m->class_of[i];
	}
	free(both);
	return of;
}

/*
 * Return a name that differs from TEXT in at most two final letters. If no name does, return the nearest name, or NULL.
 */
static const char *
near_name(const struct meanings *m, const char *text)
{
	for (int i = 0; i < m->n; i++) {
		size_t same = 0;

		while (text[same] != '\0' && text[same] == m->name[i][same])
			same++;
		if (strlen(text + same) + strlen(m->name[i] + same) <= 2)
			return m->name[i];
	}
	return spelling_nearest(text, m->name);
}

/* Return the nearest name as it is written in a command. Caller frees. */
static char *
nearest(const struct meanings *m, const char *name)
{
	char *dashed = xstrdup(name), *said;
	const char *near;

	for (char *c = dashed; *c != '\0'; c++)
		*c = *c == '_' ? '-' : *c;
	near = near_name(m, dashed);
	said = near != NULL ? xasprintf("; did you mean --%s?", near) : xstrdup("");
	free(dashed);
	return said;
}

/* Warn that an argument may change memory and step, or in which direction it changes them. */
static void
warn(struct place at, const char *name, const char *class_of_it)
{
	if (strncmp(class_of_it, "memory other", 12) == 0)
		place_warn(at, "--%s is not counted: memory and step time may differ", name);
	else
		place_warn(at, "--%s is not counted: %s", name, class_of_it);
}

#define INSTEAD "give sapp-model the network's config.json, and sapp-search its degrees"
#define LOG_INSTEAD "give the log of a run, which lists its arguments, or " INSTEAD

static const char recipe[] = "not read: it uses a recipe, a Python program whose settings are not in the script; "
    LOG_INSTEAD;
static const char transformers[] = "not read: these are arguments of transformers, which trains without a pipeline; "
    INSTEAD;
static const char fsdp[] = "not read: these are arguments of MindSpeed's trainer with FSDP2, which has no pipeline; "
    INSTEAD;
static const char described[] = "not read: network and layers of each stage are in this file of MindSpeed-MM; " INSTEAD;
static const char two_stacks[] = "networks of encoder and decoder, such as T5, are not supported: give sapp-lp layer "
    "records, with a BODY record for each of the two";

/* Trainers that take no arguments of Megatron-LM, or that train no stack of equal layers. */
static const struct other {
	const char *program, *option;	/* part of the name; option, with a final * its beginning; NULL: any */
	const char *why;
} others[] = {
	{ "maxtext", NULL, "not read: these are arguments of MaxText; " INSTEAD },
	{ "torchtitan", NULL, "not read: these are arguments of torchtitan; " INSTEAD },
	{ NULL, "--job.*", "not read: these are arguments of torchtitan; " INSTEAD },
	{ NULL, "--model.*", fsdp },
	{ "mindspeed_mm/fsdp", NULL, fsdp },
	{ "pretrain_transformers", NULL, fsdp },
	{ NULL, "--mm-model*", described },
	{ NULL, "--recipe*", recipe },
	{ NULL, "--factory*", recipe },
	{ NULL, "--model-family-name*", recipe },
	{ NULL, "--per-device-train-batch-size*", transformers },
	{ NULL, "--gradient-accumulation-steps*", transformers },
	{ "megatron_mimo", NULL, recipe },
	{ "pretrain_t5", NULL, two_stacks },
	{ NULL, "--decoder-num-layers*", two_stacks },
};

static bool
is_yaml(const char *word)
{
	const char *end = strrchr(word, '.');

	return end != NULL && (strcmp(end, ".yaml") == 0 || strcmp(end, ".yml") == 0);
}

static _Noreturn void
refuse_by_name(const struct started *s)
{
	place_die(s->place, "not read: by its name '%s' does not train (-lenient reads it)", s->program.program);
}

int
meaning_file(const struct started *s)
{
	const struct texts *a = &s->program.arguments;

	if (s->keys || started_of_verl(s))
		return -1;
	for (int i = s->defaults; i < a->n; i++)
		if (is_yaml(a->at[i]) && (i == s->defaults || strncmp(a->at[i], "--config", 8) == 0 ||
		    strncmp(a->at[i - (i > 0)], "--config", 8) == 0))
			return i;
	return -1;
}

/* Exit if the program has settings of another form, or takes them from a file. */
static void
refuse_others(const struct started *s)
{
	const struct texts *a = &s->program.arguments, *w = &s->program.launcher;
	const char *slash = w->n > 0 ? strrchr(w->at[w->n - 1], '/') : NULL;
	bool verl = started_of_verl(s);
	int i;

	if (!meaning_lenient && program_converts(&s->program))
		refuse_by_name(s);
	if (w->n > 0 && strcmp(slash != NULL ? slash + 1 : w->at[w->n - 1], "swift") == 0 &&
	    !program_named_otherwise(&s->program))
		place_die(s->place, "%s '%s'", transformers, s->program.program);
	for (size_t k = 0; k < sizeof others / sizeof others[0]; k++) {
		const struct other *o = &others[k];

		if (o->program != NULL && strcasestr(s->program.program, o->program) != NULL)
			place_die(s->place, "%s '%s'", o->why, s->program.program);
		for (i = s->defaults; o->option != NULL && i < a->n; i++)
			if (alike(a->at[i], o->option))
				place_die(started_place(s, i), "%.*s: %s", (int)strcspn(a->at[i], "="), a->at[i],
				    o->why);
	}
	for (i = s->defaults; i < a->n; i++)
		if (strstr(a->at[i], ".decoder.num_layers=") != NULL)
			place_die(started_place(s, i), "%s '%s'", two_stacks, a->at[i]);
	i = meaning_file(s);
	if (i < 0)
		for (i = a->n - 1; i >= s->defaults && (verl || strncmp(a->at[i], "--config-name", 13) != 0); i--)
			continue;
	if (i >= s->defaults) {
		bool apart = strcmp(a->at[i], "--config-name") == 0 && i + 1 < a->n;

		i += apart;
		place_die(started_place(s, i), "the program takes its settings from a file: give that file%s '%s'",
		    i + 1 < a->n ? ", after moving the arguments that follow it into it" : "", a->at[i]);
	}
}

/* Return whether any argument of the program is read. */
static bool
any_read(const struct started *s, const struct meanings *m)
{
	const struct texts *a = &s->program.arguments;
	bool any = *s->program.program == '\0' || s->keys;

	for (int i = 0; i < a->n && !any; i++) {
		size_t dashes = strspn(a->at[i], "-");
		char *name = xstrndup(a->at[i] + dashes, strcspn(a->at[i] + dashes, "="));
		const char *of = started_is_option(a->at[i]) ? class_of(m, name, NULL) : NULL;

		any = of != NULL && strcmp(of, "read") == 0;
		free(name);
	}
	return any;
}

void
meaning_check(const struct started *s)
{
	const struct texts *a = &s->program.arguments;
	struct meanings m;

	if (s->listed)
		return;
	refuse_others(s);
	m = read_meanings();
	for (int i = s->defaults; i < a->n; i++) {
		char *name = xstrndup(a->at[i] + strspn(a->at[i], "-"), strcspn(a->at[i] + strspn(a->at[i], "-"), "="));
		const char *equal = strchr(a->at[i], '='), *value = equal != NULL ? equal + 1 : i + 1 < a->n ?
		    a->at[i + 1] : NULL;
		const char *of = started_is_option(a->at[i]) ? class_of(&m, name, value) : "";

		if (of == NULL) {
			char *near = nearest(&m, name);

			if (!meaning_lenient && program_named_otherwise(&s->program))
				refuse_by_name(s);
			if (!meaning_lenient && !any_read(s, &m))
				place_die(started_place(s, i), "not read: the arguments of '%s', such as --%s, are not "
				    "those of Megatron-LM; " LOG_INSTEAD, s->program.program, name);
			/* A YAML file also has keys that the framework itself uses. */
			if (!meaning_lenient && !s->keys)
				place_die(started_place(s, i), "--%s: unknown%s (-lenient makes this a warning)", name,
				    near);
			place_warn(started_place(s, i), "--%s: unknown%s", name, near);
			free(near);
		} else if (*of != '\0' && strcmp(of, "read") != 0 && strcmp(of, "no effect") != 0 &&
		    !(s->keys && i + 1 < a->n && (strcmp(a->at[i + 1], "false") == 0 ||
		    strcmp(a->at[i + 1], "0") == 0))) {
			warn(started_place(s, i), name, of);
		}
		free(name);
	}
	free(m.text);
	free(m.name);
	free(m.class_of);
}
