/* Read a whole file into memory. */
#ifndef SLURP_H
#define SLURP_H

#include <stddef.h>

/*
 * Read PATH ("-": stdin), at most LIMIT bytes, and append a NUL. Exit if the file is larger or unreadable. Caller
 * frees.
 */
char *slurp(const char *path, size_t limit, size_t *length);
/* Return the name of PATH for messages. */
const char *slurp_name(const char *path);
/* Return the length of the UTF-8 byte order mark: 3 or 0. */
size_t byte_order_mark(const char *text, size_t length);

#endif
