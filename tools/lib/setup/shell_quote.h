/* Quotes, brackets and words of a shell. Private to the shell's own files. */
#ifndef SHELL_QUOTE_H
#define SHELL_QUOTE_H

#include <stddef.h>

/* Letters of a variable's name; 0: it is none. */
size_t shell_name_length(const char *text);
/* Behind what begins at I: a letter, a string in quotes, $( ), ${ }. QUOTE: what it stands in; DEPTH 0. */
size_t shell_past(const char *text, size_t i, char quote, int depth);
/* Where the word that begins at I ends. */
size_t shell_word_end(const char *text, size_t i);

#endif
