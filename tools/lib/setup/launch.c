/* The names of arguments, and the ways to write them. */
#include "launch.h"

#include <stdlib.h>
#include <string.h>

#include "lib/base/alloc.h"
#include "lib/script/spelled.h"
#include "option_table.h"

#define ROW(name, flag, key, takes) { flag, key, takes },
const struct launch_row launch_rows[LAUNCH_OPTIONS] = { LAUNCH_ROWS(ROW) };
#undef ROW

const char *
launch_name(enum launch_option o)
{
	return launch_rows[o].flag;
}

const char *
launch_key(enum launch_option o)
{
	return launch_rows[o].key != NULL ? launch_rows[o].key : launch_rows[o].flag;
}

bool
launch_said_in(enum launch_option o, enum launch_dialect d)
{
	return d != LAUNCH_NEMO || launch_rows[o].key != NULL;
}

/* Names in DeepSpeed's forks of Megatron-LM. The forks lack the names of Megatron-LM, so an edit keeps these. */
static const struct { const char *name; enum launch_option option; } of_deepspeed[] = {
	{ "--moe-expert-parallel-size", LAUNCH_EXPERT },
	{ "--ds-sequence-parallel-size", LAUNCH_CONTEXT },
};
enum { OF_DEEPSPEED = sizeof of_deepspeed / sizeof of_deepspeed[0] };

const char *
launch_name_in(enum launch_option o, bool deepspeed)
{
	for (int i = 0; deepspeed && i < OF_DEEPSPEED; i++)
		if (of_deepspeed[i].option == o)
			return of_deepspeed[i].name;
	return launch_rows[o].flag;
}

enum launch_option
launch_named(const char *word)
{
	int o;

	for (int i = 0; i < OF_DEEPSPEED; i++)
		if (spelled_alike(word, of_deepspeed[i].name + 2))
			return of_deepspeed[i].option;
	/* torchrun accepts both dashes and underscores. */
	if (strncmp(word, "--nproc", 7) == 0 && spelled_alike(word, launch_rows[LAUNCH_NODE_DEVICES].flag + 2))
		return LAUNCH_NODE_DEVICES;
	for (o = 0; o < LAUNCH_OPTIONS && (word[0] != '-' || !spelled_alike(word, launch_rows[o].flag + 2)) &&
	    (launch_rows[o].key == NULL || !spelled_alike(word, launch_rows[o].key)); o++)
		;
	return (enum launch_option)o;
}

enum launch_option
launch_of_spelled(const struct spelled *x)
{
	char *word = xasprintf("--%s", x->now);
	enum launch_option o = launch_named(word);

	free(word);
	return o;
}

int
launch_takes(enum launch_option o)
{
	return launch_rows[o].takes == NO_WORD ? 0 : launch_rows[o].takes == ONE_WORD ? 1 : -1;
}

bool
launch_is(const struct launch *l, enum launch_option o, const char *value)
{
	return l->value[o] != NULL && strcmp(l->value[o], value) == 0;
}

void
launch_set(struct launch *l, enum launch_option o, char *value)
{
	free(l->value[o]);
	l->value[o] = value;
}

/* Write a value, in quotes if a shell would interpret it. */
static void
put_value(FILE *f, const char *value)
{
	bool plain = strspn(value, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_,.-") ==
	    strlen(value);

	fprintf(f, plain ? "%s" : "\"%s\"", value);
}

/* Write words as "[a,b]". */
static void
put_list(FILE *f, const char *words)
{
	putc('[', f);
	for (; *words != '\0'; words++)
		putc(*words == ' ' ? ',' : *words, f);
	putc(']', f);
}

/* Write lists, each in quotes, since a shell must pass each list as one word. */
static void
put_quoted(FILE *f, const char *lists)
{
	putc('"', f);
	for (; *lists != '\0'; lists++)
		if (*lists == ' ')
			fputs("\" \"", f);
		else
			putc(*lists, f);
	putc('"', f);
}

struct grid
launch_numbers(const struct launch *l, enum launch_option o, int min, int max)
{
	struct grid g = { 1, 0, NULL };
	const char *at = l->value[o] + strspn(l->value[o], " ['\"");

	for (;;) {
		char *end;
		long n = strtol(at, &end, 10);

		if (end == at || n < min || n > max)
			place_die(l->place[o], "%s: not a list of whole numbers between %d and %d '%s'", launch_name(o),
			    min, max, l->value[o]);
		*APPEND(g.at, g.stages) = (int)n;
		at = end + strspn(end, " ]'\"");
		if (*at == '\0')
			return g;
		at += *at == ',';
		at += strspn(at, " ");
	}
}

struct texts
launch_words(const struct launch *l, enum launch_option o)
{
	struct texts t = { 0 };
	char *copy = xstrdup(l->value[o]), *rest = copy, *word;

	while ((word = strsep(&rest, " ,'\"")) != NULL)
		if (*word != '\0')
			texts_add(&t, word);
	free(copy);
	return t;
}

void
launch_print(const struct launch *l, enum launch_dialect dialect, FILE *f)
{
	bool more = false;

	for (int o = 0; o < LAUNCH_OPTIONS; o++) {
		const struct launch_row *row = &launch_rows[o];

		if (l->value[o] == NULL || (dialect == LAUNCH_NEMO && row->key == NULL))
			continue;
		fputs(more ? " \\\n" : "", f);
		more = true;
		if (dialect == LAUNCH_NEMO) {
			/* These are the names in Megatron-Bridge. */
			fprintf(f, "%s.%s=", o == LAUNCH_OPTIMIZER || o == LAUNCH_OPTIMIZERS ? "ddp" :
			    o >= LAUNCH_AWARE && o <= LAUNCH_HOST_FRACTION ? "optimizer" : "model",
			    row->key);
			if (row->takes == WORDS || row->takes == LISTS)
				put_list(f, l->value[o]);
			else
				put_value(f, row->takes == NO_WORD ? "true" : l->value[o]);
			continue;
		}
		fputs(row->flag, f);
		if (row->takes != NO_WORD) {
			putc(' ', f);
			if (row->takes == WORDS)
				fputs(l->value[o], f);
			else if (row->takes == LISTS)
				put_quoted(f, l->value[o]);
			else
				put_value(f, l->value[o]);
		}
	}
	putc('\n', f);
}

int
launch_int(const struct launch *l, enum launch_option o, int min, int max)
{
	const char *text = l->value[o];
	char *end;
	long n;

	if (text == NULL)
		return 0;
	n = strtol(text, &end, 10);
	/* Python's int() allows whitespace after the number, such as a carriage return. */
	end += strspn(end, " \t\r\n");
	if (*text == '\0' || *end != '\0' || n < min || n > max)
		place_die(l->place[o], "%s: not a whole number between %d and %d '%s'", launch_rows[o].flag, min, max,
		    text);
	return (int)n;
}

void
launch_free(struct launch *l)
{
	for (int o = 0; o < LAUNCH_OPTIONS; o++)
		free(l->value[o]);
	free(l->source);
	*l = (struct launch){ 0 };
}
