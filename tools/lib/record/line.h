/*
 * Records as lines, fast: for kinds of which a stream has hundreds of thousands. What is unusual is left to the careful
 * reader, which says what is wrong with it.
 */
#ifndef LINE_H
#define LINE_H

#include <stdio.h>

#include "lib/field/field.h"

/* Fill zeroed *REC from the line of a record of KIND; false, and *REC zeroed, where this is not plainly one. */
bool line_scan(const char *text, const char *kind, const struct fields *, void *rec);

/* Text that grows. */
struct line {
	char *at;
	size_t length, capacity;
	bool exact;		/* the record's numbers */
};
/* Append the line of a record, newline included; numbers to 15 digits, or, exact, in as few as read back the same. */
void line_print(struct line *, const char *kind, const struct fields *, const void *rec);
/* Append a line that is there already. */
void line_text(struct line *, const char *text);
/* Write it, and begin anew. */
void line_flush(struct line *, FILE *);
void line_free(struct line *);

#endif
