/* Suggest the known name nearest to a misspelt one. */
#ifndef SPELLING_H
#define SPELLING_H

/*
 * Return the name in NAMES (NULL-terminated) nearest to TEXT, or NULL if none is near. Distance: letters to add, drop,
 * change or swap, ignoring case. Also compares with the part of a name after a separator, which of two alike
 * loses against a whole name, and finds names that contain TEXT.
 */
const char *spelling_nearest(const char *text, const char *const names[]);
/* Return the name that a text above five letters misses by one or two of them; NULL: none, or it is one of NAMES. */
const char *spelling_slip(const char *text, const char *const names[]);
/* Return "; the nearest is 'NAME'", or "" if no name is near; caller frees. */
char *spelling_hint(const char *text, const char *const names[]);
/* Return " a b c; the nearest is 'b'": all NAMES and the hint; caller frees. */
char *spelling_known(const char *text, const char *const names[]);

#endif
