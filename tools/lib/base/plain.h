/* Removal of terminal control sequences from text. */
#ifndef PLAIN_H
#define PLAIN_H

#include <stddef.h>

/* Remove colours, and carriage returns at ends of lines. Return the new length. */
size_t plain_text(char *text, size_t n);

#endif
