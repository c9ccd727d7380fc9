/* Spelling: which of the names that there are was meant by one that is not there. */
#ifndef SPELLING_H
#define SPELLING_H

/*
 * The one of NAMES (ended by NULL) that TEXT is nearest to, by the letters that must be added, left out, changed or
 * swapped, capitals counting as small ones; also a part of a name behind a character that is no letter or digit, or a
 * name that TEXT is a part of. NULL: none is near.
 */
const char *spelling_nearest(const char *text, const char *const names[]);
/* "; the nearest is 'NAME'", or "" where none is near; to be freed. */
char *spelling_hint(const char *text, const char *const names[]);
/* " a b c; the nearest is 'b'": all of NAMES and the hint; to be freed. */
char *spelling_known(const char *text, const char *const names[]);

#endif
