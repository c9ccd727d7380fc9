/* Text places: where options and variables are in a script's text. Positions are bytes. */
#ifndef TEXT_PLACES_H
#define TEXT_PLACES_H

#include <stdbool.h>
#include <stddef.h>

struct text_token {
	size_t start, end;
	size_t inner, inner_end;	/* without quotes, or the part found by text_default() */
	size_t variable, variable_length;	/* name in "$NAME" or "${NAME...}"; length 0: none */
};

/* Move *AT back to the previous word [NAME, NAME + N). Return false if none exists. */
bool text_before(const char *text, size_t *at, const char *name, size_t n);
/*
 * Find the value after an option whose name ends at END: the number of words that OLD has, or one word. Return false if
 * no value exists.
 */
bool text_value(const char *text, size_t end, const char *old, struct text_token *);
/* Find the value assigned to a name that ends at END: "=4", ":-4}", ":=4}". Return false if none exists. */
bool text_assigned(const char *text, size_t end, struct text_token *);
bool text_place_is(const char *text, const struct text_token *, const char *value);
/* If the token ends with the default VALUE, as in "${NAME:-4}", set its inner part to this default and return true. */
bool text_default(const char *text, struct text_token *, const char *value);

/*
 * Get the text to cut to remove an option at [START, END). WAY 0, 1, ... cuts the whole line of the option, with or
 * without the backslash of the line that ends at ABOVE, or only its words. Return false if no more ways exist.
 */
bool text_line_out(const char *text, size_t start, size_t end, size_t above, int way, size_t *from, size_t *to);
/*
 * Return the text to insert at *TO for an option after the option at [START, END); caller frees. WAY: a line of its
 * own, or the same line. The part after "\a" follows the new option. Return NULL if no more ways exist.
 */
char *text_between(const char *text, size_t start, size_t end, int way, size_t *to);

#endif
