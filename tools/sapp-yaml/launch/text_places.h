/* Text places: where options and variables stand in a script's text. Positions are bytes. */
#ifndef TEXT_PLACES_H
#define TEXT_PLACES_H

#include <stdbool.h>
#include <stddef.h>

struct text_token {
	size_t start, end;
	size_t inner, inner_end;	/* without its quotes, or the part of it that text_default() found */
	size_t variable, variable_length;	/* "$NAME", "${NAME...}": the name; length 0: something else */
};

/* Move *AT back to the next place before it with the word [NAME, NAME + N); false: there is none. */
bool text_before(const char *text, size_t *at, const char *name, size_t n);
/* The value after an option whose name ends at END: as many words as OLD has, or one. False: there is none. */
bool text_value(const char *text, size_t end, const char *old, struct text_token *);
/* The value of an assignment to the name that ends at END: "=4", ":-4}", ":=4}". False: it is none. */
bool text_assigned(const char *text, size_t end, struct text_token *);
bool text_is(const char *text, const struct text_token *, const char *value);
/* Does the token end with the default VALUE, "${NAME:-4}"? INNER is that then. */
bool text_default(const char *text, struct text_token *, const char *value);

/*
 * What to cut for an option at [START, END) to go, in the WAY-th way: the line that it has alone, with or without the
 * backslash of the line that ends at ABOVE; the words alone. False: there are no more ways.
 */
bool text_line_out(const char *text, size_t start, size_t end, size_t above, int way, size_t *from, size_t *to);
/*
 * What to insert at *TO before an option that is to come after the one at [START, END), in the WAY-th way: a line of
 * its own, or the same line; to be freed. What follows "\a" is to come after the new option. NULL: no more ways.
 */
char *text_between(const char *text, size_t start, size_t end, int way, size_t *to);

#endif
