/* A part of a line, not NUL-terminated, and functions to find words and numbers in it. */
#ifndef PART_H
#define PART_H

#include <stdbool.h>

struct part {
	const char *at, *end;
};

struct part part_of(const char *text);
bool part_is(struct part, const char *word);
bool part_begins(struct part, const char *word);
/* Return the first occurrence of WORD, or NULL. */
const char *part_find(struct part, const char *word);
/* Skip the characters from P on that are among THESE. Return the end of these. */
const char *part_skip(const char *p, const char *end, const char *these);
/* Parse a whole number at *AT and advance *AT. Return -1 if the text has no digit or the number is above MOST. */
long part_whole(const char **at, const char *end, long most);
/* Parse a number at *AT and advance *AT. Return a negative number if the text has no number or a number above MOST. */
double part_real(const char **at, const char *end, double most);

#endif
