/* Part: some of a line, which no NUL ends; words and numbers in it. */
#ifndef PART_H
#define PART_H

#include <stdbool.h>

struct part {
	const char *at, *end;
};

struct part part_of(const char *text);
bool part_is(struct part, const char *word);
bool part_begins(struct part, const char *word);
/* Where WORD is first; NULL: nowhere. */
const char *part_find(struct part, const char *word);
/* Behind the characters at P that are among THESE. */
const char *part_skip(const char *p, const char *end, const char *these);
/* A whole number of digits alone at *AT, which moves behind it; -1: there is none, or it is above MOST. */
long part_whole(const char **at, const char *end, long most);
/* A number at *AT, which moves behind it; negative: there is none, or it is above MOST. */
double part_real(const char **at, const char *end, double most);

#endif
