#include "text_places.h"

#include <ctype.h>
#include <string.h>

#include "lib/base/alloc.h"

static bool
name_char(char c)
{
	return isalnum((unsigned char)c) || c == '_' || c == '-';
}

bool
text_before(const char *t, size_t *at, const char *name, size_t n)
{
	while (*at > 0) {
		--*at;
		if (strncmp(t + *at, name, n) == 0 && (*at == 0 || !name_char(t[*at - 1])) &&
		    (!name_char(t[*at + n]) || (t[*at + n] == '-' && name[0] != '-')))
			return true;
	}
	return false;
}

static bool
blank(char c)
{
	return c == ' ' || c == '\t';
}

/* Get the word at AT. It is quoted, or ends before a blank, a closing bracket or a quote. */
static bool
token(const char *t, size_t at, struct text_token *x)
{
	int depth = 0;
	size_t i = at;

	*x = (struct text_token){ .start = at, .inner = at };
	if (t[at] == '"' || t[at] == '\'' || (t[at] == '\\' && t[at + 1] == '"')) {
		size_t quote = 1 + (t[at] == '\\');

		x->inner = at + quote;
		for (i = x->inner; t[i] != '\0' && t[i] != '\n' && strncmp(t + i, t + at, quote) != 0; i++)
			continue;
		x->inner_end = i;
		x->end = i + quote;
		if (strncmp(t + i, t + at, quote) != 0)
			return false;
	} else {
		for (; t[i] != '\0' && (!isspace((unsigned char)t[i]) || (depth > 0 && t[i] == ' ')); i++) {
			if ((t[i] == '"' || t[i] == '\'' || t[i] == ';' || t[i] == '\\') && depth == 0)
				break;
			if ((t[i] == '}' || t[i] == ')') && depth-- == 0)
				break;
			depth += t[i] == '{' || t[i] == '(';
		}
		x->end = x->inner_end = i;
	}
	if (t[x->inner] == '$') {
		x->variable = x->inner + 1 + (t[x->inner + 1] == '{');
		while (isalnum((unsigned char)t[x->variable + x->variable_length]) ||
		    t[x->variable + x->variable_length] == '_')
			x->variable_length++;
	}
	return x->end > x->start;
}

bool
text_value(const char *t, size_t end, const char *old, struct text_token *x)
{
	size_t words = 1, n = 0;
	struct text_token more;

	for (const char *c = old; c != NULL && *c != '\0'; c++)
		words += *c == ' ';
	if (t[end] == '=') {
		end++;
	} else {
		while (blank(t[end]) || (t[end] == '\\' && t[end + 1] == '\n') ||
		    (t[end] == '\n' && t[end - 1] == '\\'))
			end++;
	}
	if (!token(t, end, x))
		return false;
	for (n = 1; n < words && blank(t[x->end]); n++) {
		size_t next = x->end + strspn(t + x->end, " \t");

		if (t[next] == '-' || !token(t, next, &more))
			break;
		x->end = x->inner_end = more.end;
		x->inner = x->start;
	}
	return true;
}

bool
text_assigned(const char *t, size_t end, struct text_token *x)
{
	end += t[end] == ':';
	if (t[end] != '=' && t[end] != '-')
		return false;
	return t[end + 1] != '=' && token(t, end + 1, x);
}

bool
text_place_is(const char *t, const struct text_token *x, const char *value)
{
	size_t n = strlen(value), i = x->inner;

	/* More than one blank may separate words. */
	for (size_t k = 0; k < n; k++, i++) {
		if (t[i] != value[k])
			return false;
		while (value[k] == ' ' && blank(t[i + 1]))
			i++;
	}
	return i == x->inner_end;
}

bool
text_default(const char *t, struct text_token *x, const char *value)
{
	size_t n = strlen(value), end = x->inner_end;

	if (t[x->inner] != '$' || t[x->inner + 1] != '{' || end < x->inner + n + 4 || t[end - 1] != '}' ||
	    strncmp(t + end - 1 - n, value, n) != 0 || strchr("-=", t[end - 2 - n]) == NULL)
		return false;
	x->inner = end - 1 - n;
	x->inner_end = end - 1;
	return true;
}

static size_t
line_start(const char *t, size_t at)
{
	while (at > 0 && t[at - 1] != '\n')
		at--;
	return at;
}

bool
text_line_out(const char *t, size_t start, size_t end, size_t above, int way, size_t *from, size_t *to)
{
	size_t line = line_start(t, start), rest = end + strspn(t + end, " \t"), slash = line;
	bool alone = line + strspn(t + line, " \t") == start && (t[rest] == '\n' || t[rest] == '\0' ||
	    (t[rest] == '\\' && (t[rest + 1] == '\n' || t[rest + 1] == '\0')));

	if (!alone)
		way += 2;
	if (way == 0) {
		/* If this line has no backslash, cut the backslash of the line before it also. */
		if (t[rest] == '\\' || above < 2 || t[above - 2] != '\\') {
			way = 1;
		} else {
			for (slash = above - 2; slash > 0 && blank(t[slash - 1]); slash--)
				continue;
			*from = slash;
			*to = rest;
			return true;
		}
	}
	if (way == 1) {
		*from = line;
		*to = rest + strcspn(t + rest, "\n");
		*to += t[*to] == '\n';
		return true;
	}
	*from = start;
	*to = end;
	if (way == 2 && start > 0 && blank(t[start - 1]))
		while (*from > line && blank(t[*from - 1]))
			--*from;
	else if (way == 2)
		*to = rest;
	return way == 2;
}

char *
text_between(const char *t, size_t start, size_t end, int way, size_t *to)
{
	size_t line = line_start(t, start), rest = end + strspn(t + end, " \t");
	int indent = (int)strspn(t + line, " \t");
	bool alone = line + (size_t)indent == start, goes_on = t[rest] == '\\' && t[rest + 1] == '\n';
	bool ends = t[rest] == '\n' || t[rest] == '\0' || t[rest] == '#';

	if (!alone || (!goes_on && !ends))
		way += 2;
	if (way == 0 && goes_on) {
		*to = rest + 2;
		return xasprintf("%.*s\a \\\n", indent, t + line);
	}
	if (way == 0 || (way == 1 && !goes_on)) {
		bool before = line >= 2 && t[line - 2] == '\\';

		*to = end;
		return xasprintf("%s\n%.*s", before == (way == 0) ? " \\" : "", indent, t + line);
	}
	*to = end;
	return way <= 2 ? xstrdup(" ") : NULL;
}
