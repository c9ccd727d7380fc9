/* Plain text: lines without what a terminal is told by them. */
#ifndef PLAIN_H
#define PLAIN_H

#include <stddef.h>

/* Take out colours and carriage returns at the end; the new length. */
size_t plain_text(char *text, size_t n);

#endif
