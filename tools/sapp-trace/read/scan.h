/* Scan JSON as a stream, from a file of any size, plain or gzip, in constant memory. */
#ifndef SCAN_H
#define SCAN_H

#include <setjmp.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <zlib.h>

#include "lib/base/place.h"

enum { SCAN_DEPTH = 1024, SCAN_HELD_MAX = 16 << 20, SCAN_LINE_MAX = 1 << 20 };

struct rescue {			/* where to continue after unreadable parts */
	jmp_buf env;
	char *message;
};

struct scan {
	struct place place;
	gzFile file;
	char *buffer;
	size_t capacity;
	char *at, *end;		/* *end is '\0' */
	char *hold;		/* start of the text kept in the buffer; NULL: none */
	uint64_t before;	/* bytes of the document before buffer[0] */
	uint64_t events;
	int state;		/* of the event reader */
	bool object;		/* {"traceEvents": [...]} instead of [...] */
	bool ended;		/* end of input */
	bool cut;		/* the document ended early */
	struct rescue *rescue;	/* NULL: errors end the program */
	uint64_t lost;		/* number of unreadable events */
	char *first_lost;	/* why the first of them is unreadable */
	char *distributed;	/* member distributedInfo as written; NULL: absent */
	uint64_t nesting[SCAN_DEPTH / 64];	/* types of open brackets of a value being skipped */
};

/* Open PATH ("-": stdin), or TEXT of N bytes; exits on errors. Close both with scan_close(). */
void scan_open(struct scan *, const char *path);
void scan_memory(struct scan *, const char *text, size_t n);
void scan_close(struct scan *);
/* Exit with a message that names the current byte, or jump to the rescue. */
_Noreturn void scan_die(const struct scan *, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

static inline bool
scan_is_space(char c)
{
	return c == ' ' || c == '\n' || c == '\r' || c == '\t';
}

char scan_peek_on(struct scan *);	/* scan_peek() at the end of the buffer */

/* Return the next character other than space, at s->at; '\0' at the end of input. */
static inline char
scan_peek(struct scan *s)
{
	while (scan_is_space(*s->at))
		s->at++;
	return *s->at != '\0' ? *s->at : scan_peek_on(s);
}

/*
 * Return the next line without its end, *N bytes, valid until the next call; lines longer than SCAN_LINE_MAX come in
 * parts. NULL at the end. Not after reading an event.
 */
const char *scan_line(struct scan *, size_t *n);

/*
 * Move s->at past the string, scalar or value that begins there. Return false if the input ends within. Checks only
 * that brackets match.
 */
bool scan_skip_string(struct scan *);
bool scan_skip_scalar(struct scan *);
bool scan_skip_value(struct scan *);

#endif
