/* Scripts: words of all commands that are arguments. */
#include "script.h"

#include <stdlib.h>
#include <string.h>

#include "lib/base/alloc.h"
#include "lib/setup/shell.h"

struct script {
	struct shell shell;
	struct bag *variables, *arguments;
	struct place at;
	size_t byte;		/* where the line of AT is */
};

/* [FROM, END) without quotes around all of it; to be freed. */
static char *
unquoted(const char *from, const char *end)
{
	if (end > from + 1 && (*from == '"' || *from == '\'') && end[-1] == *from)
		return xstrndup(from + 1, (size_t)(end - from) - 2);
	return xstrndup(from, (size_t)(end - from));
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
	static const char *const lists[] = { "recompute_modules", "cuda_graph_scope", "cuda_graph_modules",
		"lora_target_modules" };

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

/* The line of a byte of the script, from that of the last one. */
static void
stand_at(struct script *p, size_t byte)
{
	for (; p->byte < byte; p->byte++)
		p->at.line += p->shell.text[p->byte] == '\n';
	for (; p->byte > byte; p->byte--)
		p->at.line -= p->shell.text[p->byte - 1] == '\n';
}

/* What the script makes of it; as it stands there where only running it can tell; to be freed. */
static char *
value_of(struct script *p, size_t start, size_t end, char quote)
{
	char *value = shell_value(&p->shell, start, end, quote);

	return value != NULL ? value : xstrndup(p->shell.text + start, end - start);
}

/* The words of a command, or of -1. */
static void
take_command(struct script *p, int command)
{
	struct shell_words words = shell_expand(&p->shell, command);
	struct pending pending = { 0 };

	for (int i = 0; i < words.n; i++) {
		const struct shell_word *w = &words.at[i];
		char *text = value_of(p, w->start, w->end, w->quote);

		stand_at(p, w->start);
		take_words(p, &pending, text, w->quote == '\0');
		free(text);
	}
	end_pending(p, &pending);
	shell_words_free(&words);
}

/* True where it has the arguments of a model. */
static bool
read_as(struct script *p, const char *text, enum shell_reading reading)
{
	shell_read(&p->shell, text, p->at.source, reading);
	p->at.line = 1;
	p->byte = 0;
	for (int i = 0; i < p->shell.variables; i++) {
		const struct shell_variable *v = &p->shell.variable[i];
		char *value = value_of(p, v->start, v->end, v->quote);

		stand_at(p, v->at);
		bag_put(p->variables, v->name, value, p->at);
		free(value);
	}
	for (int i = 0; i < p->shell.commands; i++)
		take_command(p, i);
	/* Groups of arguments that no program was seen to take. */
	if (bag_find(p->arguments, "num_layers|hidden_size") == NULL)
		take_command(p, -1);
	shell_free(&p->shell);
	return bag_find(p->arguments, "num_layers|hidden_size") != NULL;
}

void
script_read(const char *text, const char *source, struct bag *arguments, struct bag *variables)
{
	struct script p = { .variables = variables, .arguments = arguments, .at = { .source = source } };
	char *lines = xstrdup(text), *to = lines;

	for (const char *c = text; *c != '\0'; c++)
		if (*c != '\r' || c[1] != '\n')
			*to++ = *c;
	*to = '\0';
	if (!read_as(&p, lines, SHELL_LIKELY))
		read_as(&p, lines, SHELL_DOCUMENTS);
	free(lines);
}
