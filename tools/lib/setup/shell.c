/* A script as words: where they begin and end, what sets variables, what is a command. */
#include "shell.h"

#include <stdlib.h>
#include <string.h>

#include "lib/base/alloc.h"
#include "lib/base/place.h"
#include "shell_quote.h"

long
shell_line(const struct shell *s, size_t at)
{
	long line = 1;

	for (size_t i = 0; i < at; i++)
		line += s->text[i] == '\n';
	return line;
}

/* What is read, and where. */
struct reader {
	struct shell *s;
	size_t i;
	int depth;		/* of ifs and loops */
	bool first;		/* the next word begins a command */
	bool chained;		/* behind && or || */
	bool loop;		/* behind for: the next word is a variable */
	int command;		/* whose words are read; -1: none */
	const char *here[16];	/* what ends documents within the script */
	size_t here_n[16];
	int heres;
};

static bool
is(const char *at, size_t n, const char *word)
{
	return strlen(word) == n && memcmp(at, word, n) == 0;
}

static bool
among(const char *at, size_t n, const char *const *words)
{
	for (; *words != NULL; words++)
		if (is(at, n, *words))
			return true;
	return false;
}

static struct shell_variable *
add_variable(struct reader *r, size_t at, size_t n)
{
	struct shell *s = r->s;
	struct shell_variable *v;

	v = APPEND(s->variable, s->variables);
	*v = (struct shell_variable){ .name = xstrndup(s->text + at, n), .at = at,
	    .unsure = r->depth > 0 || r->chained };
	return v;
}

/* A value that begins with what the variable was adds to it. */
static void
skip_itself(const char *t, struct shell_variable *v)
{
	size_t n = strlen(v->name), i = v->start + (v->array ? strspn(t + v->start, " \t\n") : 0);
	char quote = t[i] == '"' ? '"' : '\0';
	size_t from = i + (quote != '\0'), name = from + 1, end = shell_past(t, from, '\0', 0);

	if (t[from] != '$')
		return;
	name += t[name] == '{';
	if (t[from + 1] != '{')
		end = name + n;
	if (shell_name_length(t + name) != n || memcmp(t + name, v->name, n) != 0 ||
	    (t[from + 1] == '{' && t[name + n] != '}' && t[name + n] != '['))
		return;
	if (v->array && quote != '\0' && t[end] == '"') {
		end++;
		quote = '\0';
	}
	v->start = end < v->end ? end : v->end;
	v->quote = v->array ? '\0' : quote;
	v->more = true;
}

/* NAME=value, NAME+=value, NAME=( .. ), NAME[i]=value in a word that ends at END; where it ends then, 0: it is none. */
static size_t
assignment(struct reader *r, size_t end)
{
	const char *t = r->s->text;
	size_t start = r->i, n = shell_name_length(t + start), i = start + n;
	struct shell_variable *v;
	bool part = false;

	if (n == 0)
		return 0;
	if (t[i] == '[') {
		while (i < end && t[i] != ']')
			i++;
		i += t[i] == ']';
		part = true;
	}
	if (t[i] != '=' && !(t[i] == '+' && t[i + 1] == '='))
		return 0;
	v = add_variable(r, start, n);
	v->more = t[i] == '+';
	v->unsure |= part;
	i += v->more + 1;
	v->start = i;
	v->end = end;
	if (i == end && t[i] == '(') {
		v->array = true;
		v->start = i + 1;
		for (i = i + 1; t[i] != '\0' && t[i] != ')';)
			i = t[i] == '#' && strchr(" \t\n(", t[i - 1]) != NULL ? i + strcspn(t + i, "\n") :
			    shell_past(t, i, '\0', 0);
		v->end = i;
		end = i + (t[i] == ')');
	}
	skip_itself(t, v);
	return end;
}

static void
end_command(struct reader *r)
{
	r->command = -1;
	r->first = true;
}

/* A word [r->i, END); where it ends then. */
static size_t
take(struct reader *r, size_t end)
{
	static const char *const opening[] = { "if", "while", "until", "for", "case", "select", NULL };
	static const char *const closing[] = { "fi", "done", "esac", NULL };
	static const char *const between[] = { "then", "else", "elif", "do", "{", "}", "!", "time", "in", "function",
		"export", "local", "declare", "readonly", "typeset", "exec", "nohup", NULL };
	const char *at = r->s->text + r->i;
	size_t n = end - r->i, behind;
	struct shell *s = r->s;

	if (r->loop) {
		add_variable(r, r->i, n)->unsure = true;
		r->loop = false;
		r->first = false;
		return end;
	}
	if (!r->first) {
		if (r->command >= 0)
			s->command[r->command].end = end;
		return end;
	}
	if (among(at, n, opening)) {
		r->depth++;
		r->loop = is(at, n, "for") || is(at, n, "select");
		return end;
	}
	if (among(at, n, closing)) {
		r->depth -= r->depth > 0;
		return end;
	}
	if (among(at, n, between))
		return end;
	behind = assignment(r, end);
	if (behind > 0)
		return behind;
	if (*at == '-' && !(n > 2 && at[1] == '-'))	/* declare -a */
		return end;
	if (is(at, n, "source") || is(at, n, ".")) {
		s->sourced_at = r->i;
		s->sourced = shell_line(s, r->i);
	}
	s->command = xreallocarray(s->command, (size_t)s->commands + 1, sizeof *s->command);
	s->command[s->commands] = (struct shell_command){ r->i, end, r->depth > 0 };
	r->command = s->commands++;
	r->first = false;
	return end;
}

/* At < or >: behind it, and behind the name of a document that follows. */
static size_t
redirection(struct reader *r)
{
	const char *t = r->s->text;
	size_t i = r->i;

	if (strncmp(t + i, "<<", 2) != 0 || t[i + 2] == '<') {
		while (t[i] == '<' || t[i] == '>' || t[i] == '&' || t[i] == '|')
			i++;
		return i;
	}
	i += 2 + (t[i + 2] == '-');
	i += strspn(t + i, " \t");
	if (r->heres < 16 && r->s->reading != SHELL_DOCUMENTS) {
		size_t quoted = strspn(t + i, "'\"\\"), n = strcspn(t + i + quoted, "'\" \t\n;&|");

		r->here[r->heres] = t + i + quoted;
		r->here_n[r->heres++] = n;
	}
	return shell_word_end(t, i);
}

/* Behind the documents that begin on this line. */
static size_t
skip_documents(struct reader *r, size_t i)
{
	const char *t = r->s->text;

	for (int k = 0; k < r->heres; k++)
		while (t[i] != '\0') {
			size_t n = strcspn(t + i, "\n"), tabs = strspn(t + i, "\t");
			bool ends = n - tabs == r->here_n[k] && memcmp(t + i + tabs, r->here[k], n - tabs) == 0;

			i += n + (t[i + n] == '\n');
			if (ends)
				break;
		}
	r->heres = 0;
	return i;
}

void
shell_read(struct shell *s, const char *text, const char *source, enum shell_reading reading)
{
	struct reader r = { .s = s, .first = true, .command = -1 };

	*s = (struct shell){ .text = text, .source = source, .reading = reading };
	while (text[r.i] != '\0') {
		char c = text[r.i];

		if (c == '\n') {
			r.i = skip_documents(&r, r.i + 1);
			end_command(&r);
			r.chained = false;
		} else if (c == ' ' || c == '\t' || c == '\r') {
			r.i++;
		} else if (c == '\\' && text[r.i + 1] == '\n') {
			r.i += 2;
		} else if (c == '#') {
			r.i += strcspn(text + r.i, "\n");
		} else if (c == '<' || c == '>' || (c == '&' && text[r.i + 1] == '>')) {
			r.i = redirection(&r);
		} else if (strchr(";&|()", c) != NULL) {
			bool joins = (c == '&' || c == '|') && text[r.i + 1] == c;

			end_command(&r);
			r.chained = joins;
			r.i += joins ? 2 : 1;
		} else {
			r.i = take(&r, shell_word_end(text, r.i));
		}
	}
}

void
shell_free(struct shell *s)
{
	for (int i = 0; i < s->variables; i++)
		free(s->variable[i].name);
	free(s->variable);
	free(s->command);
	*s = (struct shell){ 0 };
}
