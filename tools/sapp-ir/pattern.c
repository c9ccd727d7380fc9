/*
 * Patterns of select_recompute: names of cells and at last of a cell or operation, divided by "\.", each a regular
 * expression for a whole name.
 */
#include "pattern.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/alloc.h"

bool
pattern_read(struct pattern *p, const char *text, char *message)
{
	const char *at = text;

	*p = (struct pattern){ .text = xstrdup(text) };
	while (*at != '\0' || p->parts == 0) {
		const char *end = strstr(at, "\\.");
		size_t n = end != NULL ? (size_t)(end - at) : strlen(at);
		char *whole = xasprintf("^(%.*s)$", (int)n, at);
		int failed = p->parts == PATTERN_PARTS || n == 0 ? REG_BADPAT :
		    regcomp(&p->part[p->parts], whole, REG_EXTENDED | REG_NOSUB);

		free(whole);
		if (failed != 0) {
			if (p->parts == PATTERN_PARTS)
				snprintf(message, 200, "more than %d names", PATTERN_PARTS);
			else
				regerror(failed, NULL, message, 200);
			pattern_free(p);
			return false;
		}
		p->parts++;
		at += n;
		at += end != NULL ? 2 : 0;
		if (end != NULL && *at == '\0') {
			snprintf(message, 200, "no name behind the last dot");
			pattern_free(p);
			return false;
		}
	}
	return true;
}

bool
pattern_means(const struct pattern *p, const char *name)
{
	for (int i = 0; i < p->parts; i++) {
		size_t n = strcspn(name, ".");
		char part[300];

		if (n == 0 || n >= sizeof part)
			return false;
		memcpy(part, name, n);
		part[n] = '\0';
		if (regexec(&p->part[i], part, 0, NULL, 0) != 0)
			return false;
		name += n + (name[n] == '.');
	}
	return true;
}

void
pattern_free(struct pattern *p)
{
	for (int i = 0; i < p->parts; i++)
		regfree(&p->part[i]);
	free(p->text);
	*p = (struct pattern){ 0 };
}
