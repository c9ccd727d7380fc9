/* JSON as a stream, from a file of any size, plain or gzip, in constant memory. */
#ifndef SCAN_H
#define SCAN_H

#include <setjmp.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <zlib.h>

#include "lib/base/place.h"

enum { SCAN_DEPTH = 1024, SCAN_HELD_MAX = 16 << 20, SCAN_LINE_MAX = 1 << 20 };

struct rescue {			/* where to go on behind what cannot be read */
	jmp_buf env;
	char *message;
};

struct scan {
	struct place place;
	gzFile file;
	char *buffer;
	size_t capacity;
	char *at, *end;		/* *end is '\0' */
	char *hold;		/* what is kept in the buffer begins here; NULL: nothing */
	uint64_t before;	/* bytes of the document before buffer[0] */
	uint64_t events;
	int state;		/* of the reader of events */
	bool object;		/* {"traceEvents": [...]} rather than [...] */
	bool ended;		/* nothing more can be read */
	bool cut;		/* the document ended before it was complete */
	struct rescue *rescue;	/* NULL: an error ends the program */
	uint64_t lost;		/* events that cannot be read */
	char *first_lost;	/* why the first of them cannot */
	char *distributed;	/* the member distributedInfo, as it is written; NULL: not seen */
	uint64_t nesting[SCAN_DEPTH / 64];	/* kinds of the open brackets of a value being skipped */
};

/* Open PATH ("-": stdin), or TEXT of N bytes; exits with a message. Close in either case. */
void scan_open(struct scan *, const char *path);
void scan_memory(struct scan *, const char *text, size_t n);
void scan_close(struct scan *);
/* Exit with a message that names the byte where the scanner stands, or go to its rescue. */
_Noreturn void scan_die(const struct scan *, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

static inline bool
scan_is_space(char c)
{
	return c == ' ' || c == '\n' || c == '\r' || c == '\t';
}

char scan_peek_on(struct scan *);	/* the same, when the buffer is at its end */

/* The next character that is not space, at s->at; '\0' at the end of the input. */
static inline char
scan_peek(struct scan *s)
{
	while (scan_is_space(*s->at))
		s->at++;
	return *s->at != '\0' ? *s->at : scan_peek_on(s);
}

/*
 * The next line without its end, *N bytes of anything, which stay until the next call; a part of one that is longer
 * than SCAN_LINE_MAX. NULL at the end of the input. Not after an event was read.
 */
const char *scan_line(struct scan *, size_t *n);

/* Move s->at behind the string, scalar or value that begins there; false: the input ends within. Brackets
 * must match, what is between them is not looked at. */
bool scan_skip_string(struct scan *);
bool scan_skip_scalar(struct scan *);
bool scan_skip_value(struct scan *);

#endif
