/* Text: some of a document, a name or a number as it is written there. */
#ifndef TEXT_H
#define TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct text {		/* not ended by NUL; valid until the next event */
	const char *at;	/* NULL: the event has no such member */
	size_t n;
};

/* A time in microseconds as whole nanoseconds; false when it is not a number or out of range. */
bool text_time(struct text, int64_t *ns);
bool text_is(struct text, const char *s);
bool text_begins(struct text, const char *s);
/* A whole number of up to MOST; -1: it is none. */
long text_whole(struct text, long most);

/* Undo the escapes of the N bytes at TEXT in place; the new length. A \u that is no character stays as it is. */
size_t text_unescape(char *text, size_t n);

#endif
