/*
 * Sums of whole numbers, as $((...)) of a shell has them: + - * / % and brackets. With names, also: comparisons,
 * && || !, a ? b : c, 'text' to compare, a | b for b where a is not there, x in list, #list for how many or how long.
 */
#ifndef ARITHMETIC_H
#define ARITHMETIC_H

#include <stdbool.h>
#include <stddef.h>

enum term_type { TERM_NONE, TERM_NUMBER, TERM_TEXT, TERM_LIST };

struct term {
	enum term_type type;
	long number;
	const char *text;		/* of TEXT, or why there is NONE; NULL: a name has no value */
	size_t length;			/* of TEXT; of NONE: of NAME */
	const char *name;		/* of NONE: which name, in the expression or one that find() went into */
	const void *origin;		/* of a name that is the whole value: what it was found in */
	const void *list;		/* of LIST */
};

struct names {
	/* The value of NAME, of LENGTH bytes, "key", "map.key" or "list[2].key". */
	struct term (*find)(void *of, const char *name, size_t length);
	bool (*holds)(void *of, struct term list, struct term x);
	long (*count)(void *of, struct term list);
	void *of;
};

/* False where TEXT is nothing of the kind, or divides by 0, or is too large; what has no value is TERM_NONE. */
bool arithmetic_named(const char *text, const struct names *, struct term *value);

#endif
