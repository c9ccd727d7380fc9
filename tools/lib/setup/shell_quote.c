/* Where words of a shell end. */
#include "shell_quote.h"

#include <ctype.h>
#include <string.h>

enum { DEPTH_MOST = 50 };

size_t
shell_name_length(const char *t)
{
	size_t n = 0;

	if (isdigit((unsigned char)*t))
		return 0;
	while (isalnum((unsigned char)t[n]) || t[n] == '_')
		n++;
	return n;
}

/* Behind CLOSE, which matches an OPEN before I. */
static size_t
behind(const char *t, size_t i, char open, char close, int depth)
{
	for (int n = 1; t[i] != '\0';) {
		n += (t[i] == open) - (t[i] == close);
		if (n == 0)
			return i + 1;
		i = shell_past(t, i, '\0', depth + 1);
	}
	return i;
}

size_t
shell_past(const char *t, size_t i, char quote, int depth)
{
	char c = t[i];

	if (c == '\0')
		return i;
	if (quote == '\'' || depth > DEPTH_MOST)
		return i + 1;
	if (c == '\\')
		return i + 1 + (t[i + 1] != '\0');
	if (c == '`') {
		i += 1 + strcspn(t + i + 1, "`");
		return i + (t[i] == '`');
	}
	if (c == '$' && t[i + 1] == '(')
		return behind(t, i + 2, '(', ')', depth);
	if (c == '$' && t[i + 1] == '{')
		return behind(t, i + 2, '{', '}', depth);
	if (quote == '\0' && c == '\'') {
		i += 1 + strcspn(t + i + 1, "'");
		return i + (t[i] == '\'');
	}
	if (quote == '\0' && c == '"') {
		for (i++; t[i] != '\0' && t[i] != '"';)
			i = shell_past(t, i, '"', depth + 1);
		return i + (t[i] == '"');
	}
	return i + 1;
}

size_t
shell_word_end(const char *t, size_t i)
{
	while (t[i] != '\0' && strchr(" \t\r\n;&|()<>", t[i]) == NULL && !(t[i] == '\\' && t[i + 1] == '\n'))
		i = shell_past(t, i, '\0', 0);
	return i;
}
