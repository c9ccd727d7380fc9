/* Suggestions of the known name that is nearest to a misspelt one. */
#ifndef SPELLING_H
#define SPELLING_H

/*
 * Return the name in NAMES (NULL-terminated) that is nearest to TEXT, or NULL if none is near. The distance is the
 * number of letters to add, drop, change or swap, ignoring case. The part of a name after a separator is compared also.
 * If both are equally near, the whole name counts as nearer. If none is near, return a name that contains TEXT.
 */
const char *spelling_nearest(const char *text, const char *const names[]);
/*
 * Return the name from which TEXT, of more than five letters, differs by one or two letters. Return NULL if no name is
 * so near, or if TEXT itself is in NAMES.
 */
const char *spelling_slip(const char *text, const char *const names[]);
/* Return "; the nearest is 'NAME'", or "" if no name is near. Caller frees. */
char *spelling_hint(const char *text, const char *const names[]);
/* Return a text such as " a b c; the nearest is 'b'": all NAMES, and the hint if any. Caller frees. */
char *spelling_known(const char *text, const char *const names[]);

#endif
