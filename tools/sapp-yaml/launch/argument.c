/* Arguments of the command that a script starts training with. */
#include "argument.h"

#include <stdlib.h>
#include <string.h>

#include "lib/base/alloc.h"
#include "lib/base/memstream.h"
#include "lib/setup/spelled.h"

struct place
argument_place(const struct arguments *a, const struct argument *x)
{
	return (struct place){ a->shell.source, shell_line(&a->shell, a->words.at[x->flag].start) };
}

/* How many words follow a name of earlier releases; -1: it is none. */
static int
earlier_words(const char *name)
{
	int words = -1;

	for (const struct spelled *x = spelled_before; x->was != NULL; x++) {
		const char *c = name, *was = x->was;

		while (*c != '\0' && (*c == *was || (*c == '-' && *was == '_'))) {
			c++;
			was++;
		}
		if (*c == *was)
			words = x->means == NULL || words == 1 ? 1 : 0;
	}
	return words;
}

static char *
joined_words(const struct shell_words *w, int first, int n)
{
	char *text = NULL;
	size_t size;
	FILE *f = memstream_open(&text, &size);
	bool known = true;

	for (int i = 0; i < n; i++) {
		known &= w->at[first + i].value != NULL;
		if (known)
			fprintf(f, "%s%s", i > 0 ? " " : "", w->at[first + i].value);
	}
	memstream_close(f);
	if (known)
		return text;
	free(text);
	return NULL;
}

/* How many words there are behind a name that takes TAKES of them. */
static int
words_behind(const struct arguments *a, int flag, int takes)
{
	const struct shell_words *w = &a->words;
	int n = 0;

	while (flag + 1 + n < w->n && n != takes) {
		const struct shell_word *next = &w->at[flag + 1 + n];

		if (a->shell.text[next->start] == '-' && (takes < 0 || a->shell.text[next->start + 1] == '-'))
			break;
		n++;
	}
	return n;
}

static void
take(struct arguments *a, int i)
{
	struct shell_word *w = &a->words.at[i];
	const char *t = a->shell.text;
	size_t n = w->end - w->start, length;
	struct argument x = { .option = LAUNCH_OPTIONS, .flag = i };
	const char *equal = memchr(t + w->start, '=', n);
	char *name;
	int takes;

	if (n < 3 || memcmp(t + w->start, "--", 2) != 0)
		return;
	length = equal != NULL ? (size_t)(equal - t) - w->start : n;
	name = xstrndup(t + w->start, length);
	x.option = launch_named(name);
	takes = x.option != LAUNCH_OPTIONS ? launch_takes(x.option) : earlier_words(name + 2);
	x.earlier = x.option == LAUNCH_OPTIONS;
	if (x.earlier && takes < 0) {
		free(name);
		return;
	}
	if (equal != NULL) {
		x.joined = (size_t)(equal - t) + 1;
		x.value = shell_value(&a->shell, x.joined, w->end, w->quote);
	} else {
		x.words = takes != 0 ? words_behind(a, i, takes) : 0;
		x.value = joined_words(&a->words, i + 1, x.words);
		if (takes != 0 && x.words == 0)
			place_die(argument_place(a, &x), "%s: no value", name);
	}
	free(name);
	*APPEND(a->at, a->n) = x;
}

static void
take_all(struct arguments *a)
{
	for (int i = 0; i < a->words.n; i++)
		take(a, i);
}

static void
drop(struct arguments *a)
{
	for (int i = 0; i < a->n; i++)
		free(a->at[i].value);
	free(a->at);
	a->at = NULL;
	a->n = 0;
	shell_words_free(&a->words);
}

static bool
has_word(const struct arguments *a, size_t from)
{
	for (int i = 0; i < a->n; i++)
		if (a->words.at[a->at[i].flag].from == from)
			return true;
	return false;
}

/* Arguments of another command, too, are the same words of the text. */
static void
compare(struct arguments *a, const struct arguments *other)
{
	for (int i = 0; i < other->n; i++)
		if (!has_word(a, other->words.at[other->at[i].flag].from))
			place_die(argument_place(other, &other->at[i]), "an argument of another command than on line "
			    "%ld: which of them is meant?",
			    shell_line(&a->shell, a->words.at[a->at[0].flag].start));
}

void
argument_check(const struct arguments *a, const struct argument *x)
{
	const struct shell_word *flag = &a->words.at[x->flag];
	struct place at = argument_place(a, x);
	int n = (int)((x->joined > 0 ? x->joined - 1 : flag->end) - flag->start);
	const char *name = a->shell.text + flag->start;

	if (flag->unsure)
		place_die(at, "%.*s: an if or a loop decides whether it is there; it is not edited", n, name);
	if (x->value == NULL)
		place_die(at, "%.*s: its value is known only when the script runs; write it out", n, name);
	for (int i = 0; i < a->n && !x->earlier; i++)
		if (a->at[i].option == x->option && a->at[i].value != NULL && strcmp(a->at[i].value, x->value) != 0)
			place_die(at, "%.*s: %s here, %s on line %ld: which of them?", n, name, x->value,
			    a->at[i].value, argument_place(a, &a->at[i]).line);
}

void
arguments_check(const struct arguments *a)
{
	/* Those of precision are looked at where they change. */
	for (int i = 0; i < a->n; i++)
		if (a->at[i].option != LAUNCH_NODES && a->at[i].option != LAUNCH_NODE_DEVICES &&
		    a->at[i].option != LAUNCH_SEQ_LENGTH &&
		    (a->at[i].option < LAUNCH_FP8 || a->at[i].option > LAUNCH_FP8_HEADS))
			argument_check(a, &a->at[i]);
}

void
arguments_read(struct arguments *a, const char *text, const char *source)
{
	struct arguments all = { .n = 0 }, *of;

	*a = (struct arguments){ .n = 0 };
	shell_read(&all.shell, text, source, SHELL_SURE);
	of = xcalloc((size_t)all.shell.commands + 1, sizeof *of);
	for (int i = 0; i <= all.shell.commands; i++) {
		/* Last those that no command takes. */
		bool rest = i == all.shell.commands;

		of[i].shell = all.shell;
		of[i].words = shell_expand(&of[i].shell, rest ? -1 : i);
		all.shell.steps = of[i].shell.steps;
		take_all(&of[i]);
		if (of[i].n >= a->n && of[i].n > 0 && !(rest && a->n > 0))
			*a = of[i];
	}
	if (a->n == 0)
		place_die((struct place){ source, 0 }, "no command with arguments of Megatron-LM in it");
	for (int i = 0; i <= all.shell.commands; i++) {
		if (of[i].at != a->at && i < all.shell.commands)
			compare(a, &of[i]);
		if (of[i].at != a->at)
			drop(&of[i]);
	}
	a->shell = all.shell;
	free(of);
}

void
arguments_again(struct arguments *a)
{
	const struct shell_words *w = &a->words;

	for (int i = 0; i < a->n; i++) {
		struct argument *x = &a->at[i];
		const struct shell_word *flag = &w->at[x->flag];

		free(x->value);
		if (x->joined > 0) {
			x->value = shell_value(&a->shell, x->joined, flag->end, flag->quote);
			continue;
		}
		for (int k = 1; k <= x->words; k++) {
			struct shell_word *v = &a->words.at[x->flag + k];

			free(v->value);
			v->value = shell_value(&a->shell, v->start, v->end, v->quote);
		}
		x->value = joined_words(w, x->flag + 1, x->words);
	}
}

void
arguments_free(struct arguments *a)
{
	drop(a);
	shell_free(&a->shell);
}

const struct argument *
argument_of(const struct arguments *a, enum launch_option o)
{
	for (int i = a->n; i > 0; i--)
		if (!a->at[i - 1].earlier && a->at[i - 1].option == o)
			return &a->at[i - 1];
	return NULL;
}
