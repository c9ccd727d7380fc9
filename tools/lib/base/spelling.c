#include "spelling.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "alloc.h"

enum { LONGEST = 200 };		/* maximum number of letters that are compared */

static int
least(int a, int b)
{
	return a < b ? a : b;
}

static int
small(const char *text, size_t i)
{
	return tolower((unsigned char)text[i]);
}

/*
 * Return the optimal string alignment distance, computed row by row: insertions, deletions, changes, and swaps of
 * neighbours (R. A. Wagner, R. Lowrance, An extension of the string-to-string correction problem, 1975, without edits
 * between swapped letters).
 */
static int
distance(const char *a, const char *b)
{
	size_t m = strlen(a), n = strlen(b);
	int row[3][LONGEST + 1], *before = row[0], *above = row[1], *now = row[2];

	if (m > LONGEST || n > LONGEST)
		return 2 * LONGEST;
	for (size_t j = 0; j <= n; j++)
		above[j] = (int)j;
	for (size_t i = 1; i <= m; i++) {
		int *spare = before;

		now[0] = (int)i;
		for (size_t j = 1; j <= n; j++) {
			now[j] = least(least(above[j], now[j - 1]) + 1,
			    above[j - 1] + (small(a, i - 1) != small(b, j - 1)));
			if (i > 1 && j > 1 && small(a, i - 1) == small(b, j - 2) && small(a, i - 2) == small(b, j - 1))
				now[j] = least(now[j], before[j - 2] + 1);
		}
		before = above;
		above = now;
		now = spare;
	}
	return above[n];
}

/*
 * Return twice the distance to NAME. If the part of NAME after a separator is nearer, return twice the distance to
 * that, plus 1.
 */
static int
distance_to_part(const char *text, const char *name)
{
	int best = 2 * distance(text, name);

	for (const char *p = name; *p != '\0'; p++)
		if (!isalnum((unsigned char)*p) && isalnum((unsigned char)p[1]))
			best = least(best, 2 * distance(text, p + 1) + 1);
	return best;
}

const char *
spelling_nearest(const char *text, const char *const names[])
{
	size_t length = strlen(text);
	/* Up to a third of the letters, rounded up, may be wrong. */
	int best = 2 * ((int)(length + 2) / 3 + 1);
	const char *nearest = NULL;

	for (int i = 0; names[i] != NULL && length > 1; i++) {
		int d = distance_to_part(text, names[i]);

		if (d < best) {
			best = d;
			nearest = names[i];
		}
	}
	for (int i = 0; names[i] != NULL && nearest == NULL && length > 1; i++)
		if (strcasestr(names[i], text) != NULL)
			nearest = names[i];
	return nearest;
}

const char *
spelling_slip(const char *text, const char *const names[])
{
	const char *near = NULL;

	for (int i = 0; names[i] != NULL; i++) {
		int wrong = distance(text, names[i]);

		if (wrong == 0)
			return NULL;
		if (wrong <= 2 && strlen(text) > 5)
			near = names[i];
	}
	return near;
}

char *
spelling_hint(const char *text, const char *const names[])
{
	const char *near = spelling_nearest(text, names);

	return near != NULL ? xasprintf("; the nearest is '%s'", near) : xstrdup("");
}

char *
spelling_known(const char *text, const char *const names[])
{
	char *known = xstrdup(""), *hint = spelling_hint(text, names), *longer;

	for (int i = 0; names[i] != NULL; i++) {
		longer = xasprintf("%s %s", known, names[i]);
		free(known);
		known = longer;
	}
	longer = xasprintf("%s%s", known, hint);
	free(known);
	free(hint);
	return longer;
}
