/* Text: a name or number in a document, as written there. */
#ifndef TEXT_H
#define TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct text {		/* not NUL-terminated; valid until the next event */
	const char *at;	/* NULL: the member is absent */
	size_t n;
};

/* Convert microseconds to whole nanoseconds. Return false if the text is invalid or out of range. */
bool text_time(struct text, int64_t *ns);
bool text_is(struct text, const char *s);
bool text_begins(struct text, const char *s);
/* Return a whole number that is at most MOST; -1 if invalid. */
long text_whole(struct text, long most);

/*
 * Replace the escapes in the N bytes at TEXT, in place, and return the new length. A \u that is not a character stays
 * unchanged.
 */
size_t text_unescape(char *text, size_t n);

#endif
