#include "part.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "clipped.h"

struct part
part_of(const char *text)
{
	return (struct part){ text, text + strlen(text) };
}

bool
part_is(struct part t, const char *word)
{
	return (size_t)(t.end - t.at) == strlen(word) && part_begins(t, word);
}

bool
part_begins(struct part t, const char *word)
{
	size_t n = strlen(word);

	return (size_t)(t.end - t.at) >= n && memcmp(t.at, word, n) == 0;
}

const char *
part_find(struct part t, const char *word)
{
	return t.at < t.end ? memmem(t.at, (size_t)(t.end - t.at), word, strlen(word)) : NULL;
}

const char *
part_skip(const char *p, const char *end, const char *these)
{
	while (p < end && *p != '\0' && strchr(these, *p) != NULL)
		p++;
	return p;
}

long
part_whole(const char **at, const char *end, long most)
{
	const char *p = *at;
	long n = 0;

	for (; p < end && isdigit((unsigned char)*p) && n <= most; p++)
		n = 10 * n + (*p - '0');
	if (p == *at || n > most)
		return -1;
	*at = p;
	return n;
}

double
part_real(const char **at, const char *end, double most)
{
	char copy[64], *stop;
	struct clipped text = CLIPPED(copy);
	double x;

	clipped_add(&text, *at, (size_t)(part_skip(*at, end, "0123456789.eE+-") - *at));
	x = strtod(copy, &stop);
	*at += stop - copy;
	return text.cut || stop == copy || !(x <= most) ? -1 : x;
}
