/*
 * Expressions of whole numbers. They have + - * / % and parentheses, names, comparisons, && || !, and a ? b : c. 'text'
 * is a text to compare with. a | b is b if a is absent. x in list tests for a member; #list is the length of a list.
 */
#ifndef ARITHMETIC_H
#define ARITHMETIC_H

#include <stdbool.h>
#include <stddef.h>

enum term_type { TERM_NONE, TERM_NUMBER, TERM_TEXT, TERM_LIST };

struct term {
	enum term_type type;
	long number;
	const char *text;	/* TERM_TEXT: its characters; TERM_NONE: the reason, or NULL if a name has no value */
	size_t length;			/* TERM_TEXT: length of text; TERM_NONE: length of name */
	/*
	 * TERM_NONE: the name without a value; it is in the expression, or in another expression that find() evaluated
	 */
	const char *name;
	const void *origin;	/* if the expression is a single name: the object in which find() found the value */
	const void *list;		/* TERM_LIST: the list */
};

struct names {
	/* Return the value of NAME, LENGTH bytes of the form "key", "map.key" or "list[2].key". */
	struct term (*find)(void *of, const char *name, size_t length);
	bool (*holds)(void *of, struct term list, struct term x);
	long (*count)(void *of, struct term list);
	void *of;
};

/*
 * Evaluate TEXT. Return false if it is not an expression, divides by 0 or overflows. The result is TERM_NONE if a value
 * is absent.
 */
bool arithmetic_named(const char *text, const struct names *, struct term *value);

#endif
