/* Scanner of JSON as a stream. Files of any size, plain or compressed with gzip, need only constant memory. */
#ifndef SCAN_H
#define SCAN_H

#include <setjmp.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <zlib.h>

#include "lib/base/place.h"

enum { SCAN_DEPTH = 1024, SCAN_HELD_MAX = 16 << 20, SCAN_LINE_MAX = 1 << 20 };

struct rescue {			/* where to continue after an unreadable part */
	jmp_buf env;
	char *message;
};

struct scan {
	struct place place;
	gzFile file;
	char *buffer;
	size_t capacity;
	char *at, *end;		/* *end is '\0' */
	char *hold;		/* start of the text that must stay in the buffer; NULL: none */
	uint64_t before;	/* number of bytes of the document before buffer[0] */
	uint64_t events;
	int state;		/* state of the event reader */
	bool object;		/* whether the document is {"traceEvents": [...]} and not [...] */
	bool ended;		/* whether the input has ended */
	bool cut;		/* whether the document is incomplete */
	struct rescue *rescue;	/* NULL: an error ends the program */
	uint64_t lost;		/* number of unreadable events */
	char *first_lost;	/* error in the first unreadable event */
	char *distributed;	/* member distributedInfo as written; NULL: absent */
	uint64_t nesting[SCAN_DEPTH / 64];	/* types of the open brackets of a value that is skipped */
};

/* Open the file PATH ("-": stdin), or the N bytes at TEXT. Exits on errors. Close with scan_close(). */
void scan_open(struct scan *, const char *path);
void scan_memory(struct scan *, const char *text, size_t n);
void scan_close(struct scan *);
/* Print a message that names the current byte and exit, or jump to the rescue, if set. */
_Noreturn void scan_die(const struct scan *, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

static inline bool
scan_is_space(char c)
{
	return c == ' ' || c == '\n' || c == '\r' || c == '\t';
}

char scan_peek_on(struct scan *);	/* scan_peek() at the end of the buffer */

/* Move to the next character that is not a space, and return it; '\0' at the end of input. */
static inline char
scan_peek(struct scan *s)
{
	while (scan_is_space(*s->at))
		s->at++;
	return *s->at != '\0' ? *s->at : scan_peek_on(s);
}

/*
 * Return the next line without its line end; *N: its length. It is valid until the next call. Lines longer than
 * SCAN_LINE_MAX come in parts. Return NULL at the end. Not allowed after reading an event.
 */
const char *scan_line(struct scan *, size_t *n);

/*
 * Move s->at after the string, scalar or value that begins there. Return false if the input ends within the string,
 * scalar or value. The only syntax error detected is a bracket that does not match.
 */
bool scan_skip_string(struct scan *);
bool scan_skip_scalar(struct scan *);
bool scan_skip_value(struct scan *);

#endif
