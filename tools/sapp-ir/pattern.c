/*
 * Patterns of select_recompute consist of names of cells and of a final cell or operation, separated by "\.". Each name
 * is a regular expression for a whole name.
 */
#include "pattern.h"

#include <stdlib.h>
#include <string.h>

#include "lib/base/alloc.h"

bool
pattern_read(struct ir_pattern *p, const char *text, struct clipped *message)
{
	const char *at = text;

	*p = (struct ir_pattern){ .text = xstrdup(text) };
	while (*at != '\0' || p->parts == 0) {
		const char *end = strstr(at, "\\.");
		size_t n = end != NULL ? (size_t)(end - at) : strlen(at);
		char *whole = xasprintf("^(%.*s)$", (int)n, at);
		int failed = p->parts == PATTERN_PARTS || n == 0 ? REG_BADPAT :
		    regcomp(&p->part[p->parts], whole, REG_EXTENDED | REG_NOSUB);

		free(whole);
		if (failed != 0) {
			if (p->parts == PATTERN_PARTS)
				clipped_print(message, "more than %d names", PATTERN_PARTS);
			else
				regerror(failed, NULL, message->at, message->size);
			ir_pattern_free(p);
			return false;
		}
		p->parts++;
		at += n;
		at += end != NULL ? 2 : 0;
		if (end != NULL && *at == '\0') {
			clipped_print(message, "no name after the last dot");
			ir_pattern_free(p);
			return false;
		}
	}
	return true;
}

bool
pattern_means(const struct ir_pattern *p, const char *name)
{
	for (int i = 0; i < p->parts; i++) {
		size_t n = strcspn(name, ".");
		char part[300];
		struct clipped copy = CLIPPED(part);

		clipped_add(&copy, name, n);
		if (n == 0 || copy.cut || regexec(&p->part[i], part, 0, NULL, 0) != 0)
			return false;
		name += n + (name[n] == '.');
	}
	return true;
}

void
ir_pattern_free(struct ir_pattern *p)
{
	for (int i = 0; i < p->parts; i++)
		regfree(&p->part[i]);
	free(p->text);
	*p = (struct ir_pattern){ 0 };
}
