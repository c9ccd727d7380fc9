/* Text places: positions of options and variables in the text of a script, in bytes. */
#ifndef TEXT_PLACES_H
#define TEXT_PLACES_H

#include <stdbool.h>
#include <stddef.h>

struct text_token {
	size_t start, end;
	size_t inner, inner_end;	/* without quotes; or the part that text_default() found */
	size_t variable, variable_length;	/* name of the variable in "$NAME" or "${NAME...}"; length 0: none */
};

/* Move *AT back to the previous occurrence of the word [NAME, NAME + N). Return false if none exists. */
bool text_before(const char *text, size_t *at, const char *name, size_t n);
/*
 * Find the value after an option whose name ends at END. The value has as many words as OLD, or one word. Return false
 * if no value exists.
 */
bool text_value(const char *text, size_t end, const char *old, struct text_token *);
/* Find the value that is assigned to a name that ends at END: "=4", ":-4}", ":=4}". Return false if none exists. */
bool text_assigned(const char *text, size_t end, struct text_token *);
bool text_place_is(const char *text, const struct text_token *, const char *value);
/*
 * Return whether the token ends with the default VALUE, as in "${NAME:-4}". If so, its inner part is set to the
 * default.
 */
bool text_default(const char *text, struct text_token *, const char *value);

/*
 * Get the text [*FROM, *TO) to cut in order to remove the option [START, END). WAY is 0, 1 and so on. The ways are to
 * cut the whole line of the option, the line and the backslash of the line that ends at ABOVE, or only the option's
 * words. Return false if no more ways exist.
 */
bool text_line_out(const char *text, size_t start, size_t end, size_t above, int way, size_t *from, size_t *to);
/*
 * Return the text to insert at *TO, in order to add an option after the option [START, END); caller frees. WAY: on a
 * line of its own, or on the same line. The part after "\a" follows the new option. Return NULL if no more ways exist.
 */
char *text_between(const char *text, size_t start, size_t end, int way, size_t *to);

#endif
