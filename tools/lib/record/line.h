/*
 * Fast path for records of candidates and estimates, which occur by the hundred thousand. A line that it cannot scan
 * goes to the full parser (record.h), which reports errors. With jansson alone, sapp-top takes 5.5 times as long for
 * 100,000 estimates (7.1 s instead of 1.3 s), and sapp-est 1.7 times as long for 100,000 candidates.
 */
#ifndef LINE_H
#define LINE_H

#include <stdio.h>

#include "lib/field/field.h"

/*
 * Fill zeroed *REC from a line with a record of KIND. Return false, and *REC zeroed, if the line is not such a record
 * in plain form.
 */
bool line_scan(const char *text, const char *kind, const struct fields *, void *rec);

/* Lines to be written. */
struct line {
	char *at;
	size_t length, capacity;
	bool exact;		/* the record needs exact numbers */
};
/*
 * Append a record as a line with its newline. Numbers have 15 digits; in exact records they have the fewest digits that
 * read back the same.
 */
void line_print(struct line *, const char *kind, const struct fields *, const void *rec);
/* Append TEXT, a whole line. */
void line_text(struct line *, const char *text);
/* Write the text to the file and empty it. */
void line_flush(struct line *, FILE *);
void line_free(struct line *);

#endif
