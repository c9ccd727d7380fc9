/* Text: a name or number in a document, as written. */
#ifndef TEXT_H
#define TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct text {		/* not NUL-terminated; valid until the next event */
	const char *at;	/* NULL: member absent */
	size_t n;
};

/* Convert microseconds to whole nanoseconds; false if invalid or out of range. */
bool text_time(struct text, int64_t *ns);
bool text_is(struct text, const char *s);
bool text_begins(struct text, const char *s);
/* Return a whole number up to MOST; -1 if invalid. */
long text_whole(struct text, long most);

/* Unescape the N bytes at TEXT in place; return the new length. Leaves a \u without a character unchanged. */
size_t text_unescape(char *text, size_t n);

#endif
