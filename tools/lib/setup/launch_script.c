/* Arguments found in a shell script: words in quotes or not, in arrays and variables, with the values of others. */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/alloc.h"
#include "lib/base/clipped.h"
#include "option_table.h"
#include "shell.h"
#include "shell_quote.h"
#include "spelled.h"

enum { WORD_MAX = 100000 };

struct script {
	struct shell shell;
	const char *at;
	const char *source;
	long line;
	char word[WORD_MAX];
	struct clipped text;	/* in it */
	struct place place;	/* of the word */
	bool unknown;		/* it has a variable that is not set here */
	const char *implied[LAUNCH_OPTIONS];	/* by earlier names of others, where nothing else says it */
	struct place implied_place[LAUNCH_OPTIONS];
};

/* At a '$' of the script: its value behind what the word has. Groups of arguments are read where they stand. */
static void
expand(struct script *s)
{
	size_t from = (size_t)(s->at - s->shell.text), end = shell_past(s->shell.text, from, '\0', 0);
	char *value;

	if (end == from + 1)
		end += isdigit((unsigned char)s->at[1]) ? 1 : shell_name_length(s->at + 1);
	value = shell_value(&s->shell, from, end, '\0');
	if (value != NULL && strstr(value, "--") == NULL)
		clipped_add(&s->text, value, strlen(value));
	else
		s->unknown = true;
	free(value);
	for (; s->at < s->shell.text + end; s->at++)
		s->line += *s->at == '\n';
}

/* Do the N letters of a word begin a list of lists that goes on? Behind a shell's own [[ there is a blank. */
static bool
in_lists(const char *word, size_t n)
{
	const char *lists = memmem(word, n, "[[", 2);
	int depth = 0;

	if (lists == NULL || lists + 2 == word + n)
		return false;
	for (; lists < word + n; lists++)
		depth += *lists == '[' ? 1 : *lists == ']' ? -1 : 0;
	return depth > 0;
}

/* The next word without its quotes; false at the end. Words in quotes come one by one as well: they are arguments. */
static bool
next_word(struct script *s)
{
	size_t n;

	s->unknown = false;
	s->text = CLIPPED(s->word);
	for (;;) {
		while (isspace((unsigned char)*s->at) || *s->at == '\\' || *s->at == ';' || *s->at == '"' ||
		    *s->at == '\'')
			s->line += *s->at++ == '\n';
		if (*s->at != '#')
			break;
		s->at += strcspn(s->at, "\n");
	}
	s->place = (struct place){ s->source, s->line };
	while (*s->at != '\0' && !s->text.cut &&
	    (!isspace((unsigned char)*s->at) || (*s->at == ' ' && in_lists(s->word, s->text.n)))) {
		if (*s->at == '$')
			expand(s);
		else if (*s->at == '"' || *s->at == '\'' || *s->at == '\\')
			s->at++;
		else
			clipped_add(&s->text, s->at++, 1);
	}
	if (s->text.cut)
		place_die(s->place, "a word of more than %d letters '%.20s...'", WORD_MAX - 1, s->word);
	n = s->text.n;
	while (n > 0 && (s->word[n - 1] == ';' || s->word[n - 1] == '&'))
		n--;
	s->word[n] = '\0';
	return n > 0 || s->unknown || *s->at != '\0';
}

/* The parenthesis that ends an array may stand right behind its last word. */
static void
drop_parenthesis(char *word)
{
	size_t n = strlen(word);
	int open = 0;

	for (size_t i = 0; i < n; i++)
		open += word[i] == '(' ? 1 : word[i] == ')' ? -1 : 0;
	if (open < 0 && word[n - 1] == ')')
		word[n - 1] = '\0';
}

/* NAME=value, NAME+=value: where the value begins; NULL: it is none. */
static char *
assigned(char *word)
{
	size_t n = shell_name_length(word);

	if (n == 0 || (word[n] != '=' && strncmp(word + n, "+=", 2) != 0))
		return NULL;
	return word + n + 1 + (word[n] == '+');
}

static void
found(struct launch *l, const struct script *s, enum launch_option o, const char *value, struct place at)
{
	/* Nothing of the pipeline depends on it. */
	if (o == LAUNCH_SEQ_LENGTH &&
	    (s->unknown || l->value[o] != NULL || value[strspn(value, "0123456789")] != '\0'))
		return;
	if (o >= LAUNCH_SETTINGS && o < LAUNCH_NODES && (s->unknown || l->value[o] != NULL))
		return;
	if (s->unknown)
		place_die(at, "%s: its value is known only when the script runs; write it out", launch_rows[o].flag);
	if (l->value[o] != NULL && strcmp(l->value[o], value) != 0)
		place_die(at, "%s: %s here, %s on line %ld: which of them? give the arguments alone",
		    launch_rows[o].flag, value, l->value[o], l->place[o].line);
	launch_set(l, o, xstrdup(value));
	l->place[o] = at;
}

/* More words of a list behind its first in s->word, on the same line or behind a backslash at its end. */
static void
more_words(struct script *s)
{
	static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_";

	s->text.n = strlen(s->word);
	for (;;) {
		const char *at = s->at + strspn(s->at, " \t"), *end;
		long lines = 0;
		char quote;

		if (at == s->at)
			return;
		while (strncmp(at, "\\\n", 2) == 0) {
			lines++;
			at += 2;
			at += strspn(at, " \t");
		}
		quote = *at == '"' || *at == '\'' ? *at : '\0';
		at += quote != '\0';
		end = at + strspn(at, letters);
		if (end == at || (quote != '\0' ? *end != quote : strchr("\n \t\"')", *end) == NULL))
			return;
		clipped_add(&s->text, " ", 1);
		clipped_add(&s->text, at, (size_t)(end - at));
		if (s->text.cut)
			place_die(s->place, "a list of more than %d letters '%.20s...'", WORD_MAX - 1, s->word);
		s->at = end + (quote != '\0');
		s->line += lines;
	}
}

/* The option that is now called NAME. */
static enum launch_option
option_now(const char *name)
{
	int o = 0;

	while (launch_rows[o].key == NULL || strcmp(launch_rows[o].key, name) != 0)
		o++;
	return (enum launch_option)o;
}

/* The value behind an option whose name ends at EQUAL (NULL: in the next word). */
static const char *
value_behind(struct script *s, char *equal, const char *name, bool words, struct place at)
{
	if (equal != NULL)
		return equal;
	if (!next_word(s) || strncmp(s->word, "--", 2) == 0)
		place_die(at, "%s: no value", name);
	if (words && strchr(s->word, ')') == NULL)
		more_words(s);
	drop_parenthesis(s->word);
	return s->word;
}

/* What an argument was called in earlier releases, "--checkpoint-activations". */
static void
earlier(struct launch *l, struct script *s, const char *word, char *equal)
{
	const struct spelled *x = spelled_before;
	const char *value = NULL;
	struct place at = s->place;

	while (x->was != NULL && !launch_spells(word, x->was))
		x++;
	for (const char *was = x->was; x->was != NULL && strcmp(x->was, was) == 0; x++) {
		enum launch_option o = option_now(x->now);

		if (x->means == NULL && value == NULL)
			value = value_behind(s, equal, was, false, at);
		if (x->implied) {
			s->implied[o] = x->means;
			s->implied_place[o] = at;
		} else {
			found(l, s, o, x->means != NULL ? x->means : value, at);
		}
	}
}

static void
take_implied(struct launch *l, const struct script *s)
{
	for (int o = 0; o < LAUNCH_OPTIONS; o++)
		if (s->implied[o] != NULL && l->value[o] == NULL) {
			launch_set(l, (enum launch_option)o, xstrdup(s->implied[o]));
			l->place[o] = s->implied_place[o];
		}
}

/* "--num-layers=4" or "--num-layers 4" */
static void
flag(struct launch *l, struct script *s, char *word)
{
	char *equal = strchr(word, '=');
	struct place at = s->place;
	int o;

	if (equal != NULL)
		*equal++ = '\0';
	o = (int)launch_named(word);
	if (o == LAUNCH_OPTIONS) {
		earlier(l, s, word, equal);
		return;
	}
	if (launch_rows[o].takes == NO_WORD) {
		found(l, s, (enum launch_option)o, "", at);
		return;
	}
	found(l, s, (enum launch_option)o,
	    value_behind(s, equal, launch_rows[o].flag, launch_takes((enum launch_option)o) < 0, at), at);
}

/* "model.num_layers=4", whatever it is a part of. */
static void
dotted(struct launch *l, struct script *s)
{
	char *equal = strchr(s->word, '='), *name;

	if (equal == NULL || memchr(s->word, '.', (size_t)(equal - s->word)) == NULL)
		return;
	*equal++ = '\0';
	name = strrchr(s->word, '.') + 1;
	if (strcasecmp(equal, "null") == 0 || strcasecmp(equal, "none") == 0)
		return;
	if (*equal == '[' && equal[strlen(equal) - 1] == ']') {
		equal[strlen(equal) - 1] = '\0';
		equal++;
	}
	for (int o = 0; o < LAUNCH_OPTIONS; o++) {
		if (launch_rows[o].key == NULL || strcmp(launch_rows[o].key, name) != 0)
			continue;
		if (launch_rows[o].takes == NO_WORD && strcasecmp(equal, "true") != 0)
			continue;
		found(l, s, (enum launch_option)o, launch_rows[o].takes == NO_WORD ? "" : equal, s->place);
	}
	earlier(l, s, name, equal);
}

void
launch_parse(struct launch *l, const char *text, const char *source)
{
	struct script *s = xcalloc(1, sizeof *s);

	*l = (struct launch){ .source = xstrdup(source) };
	shell_read(&s->shell, text, l->source, SHELL_LIKELY);
	s->at = text;
	s->source = l->source;
	s->line = 1;
	while (next_word(s)) {
		char *word = s->word, *value = assigned(word);

		while (value != NULL && *value == '(')
			value++;
		if (value != NULL && strncmp(value, "--", 2) != 0)
			continue;
		if (value != NULL)
			word = value;
		word += strspn(word, "(");
		if (strncmp(word, "--", 2) == 0) {
			drop_parenthesis(word);
			flag(l, s, word);
		} else {
			dotted(l, s);
		}
	}
	take_implied(l, s);
	shell_free(&s->shell);
	free(s);
}

bool
launch_looks_like(const char *text)
{
	return strstr(text, launch_rows[LAUNCH_STAGES].flag) != NULL || strstr(text,
	    launch_rows[LAUNCH_LAYERS].flag) != NULL ||
	    strstr(text, "model.pipeline_model_parallel_size=") != NULL;
}
