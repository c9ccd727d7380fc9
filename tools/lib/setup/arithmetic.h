/*
 * Arithmetic of whole numbers: + - * / % and parentheses, names, comparisons, && || !, a ? b : c, 'text' to compare,
 * a | b for b if a is absent, x in list, #list for its length.
 */
#ifndef ARITHMETIC_H
#define ARITHMETIC_H

#include <stdbool.h>
#include <stddef.h>

enum term_type { TERM_NONE, TERM_NUMBER, TERM_TEXT, TERM_LIST };

struct term {
	enum term_type type;
	long number;
	const char *text;		/* value of TEXT; why there is NONE; NULL: a name without a value */
	size_t length;			/* of TEXT; for NONE, of NAME */
	const char *name;		/* for NONE: the name, in the expression or one that find() evaluated */
	const void *origin;		/* for a name that is the whole value: where it was found */
	const void *list;		/* of LIST */
};

struct names {
	/* Return the value of NAME, LENGTH bytes: "key", "map.key" or "list[2].key". */
	struct term (*find)(void *of, const char *name, size_t length);
	bool (*holds)(void *of, struct term list, struct term x);
	long (*count)(void *of, struct term list);
	void *of;
};

/* Evaluate TEXT. Return false if it is not an expression, divides by 0 or overflows. An absent value is TERM_NONE. */
bool arithmetic_named(const char *text, const struct names *, struct term *value);

#endif
