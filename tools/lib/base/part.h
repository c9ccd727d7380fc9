/* Part: a piece of a line, not NUL-terminated; find words and numbers in it. */
#ifndef PART_H
#define PART_H

#include <stdbool.h>

struct part {
	const char *at, *end;
};

struct part part_of(const char *text);
bool part_is(struct part, const char *word);
bool part_begins(struct part, const char *word);
/* Return the first place of WORD, or NULL if none exists. */
const char *part_find(struct part, const char *word);
/* Skip the characters at P that are among THESE. */
const char *part_skip(const char *p, const char *end, const char *these);
/* Parse a whole number of digits at *AT and advance *AT. Return -1 if no number exists, or it is above MOST. */
long part_whole(const char **at, const char *end, long most);
/* Parse a number at *AT and advance *AT. Return a negative number if no number exists, or it is above MOST. */
double part_real(const char **at, const char *end, double most);

#endif
