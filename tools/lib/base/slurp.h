/* Slurp: a whole file read into memory. */
#ifndef SLURP_H
#define SLURP_H

#include <stddef.h>

/*
 * PATH ("-": stdin), of at most LIMIT bytes, with a NUL behind it; exits when it cannot be read or is
 * larger.
 */
char *slurp(const char *path, size_t limit, size_t *length);
/* What PATH is called in messages. */
const char *slurp_name(const char *path);
/* Bytes of the mark that some editors begin UTF-8 with: 3 or 0. */
size_t byte_order_mark(const char *text, size_t length);

#endif
