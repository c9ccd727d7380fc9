/* Text in a buffer of fixed size: excess text is dropped and a flag set. */
#ifndef CLIPPED_H
#define CLIPPED_H

#include <stdbool.h>
#include <stddef.h>

struct clipped {
	char *at;		/* the buffer, not owned, NUL-terminated */
	size_t n;		/* bytes used, without the NUL */
	size_t size;		/* bytes in the buffer */
	bool cut;		/* some text did not fit */
};

/* Start an empty text in ARRAY; a pointer in place of an array does not compile. */
#define CLIPPED(array) clipped_new((array), sizeof (array) + 0 * sizeof(char \
	[__builtin_types_compatible_p(__typeof__(array), __typeof__(&(array)[0])) ? -1 : 1]))

struct clipped clipped_new(char *buffer, size_t size);
/* Append the part of N bytes that fits. */
void clipped_add(struct clipped *, const char *text, size_t n);
void clipped_print(struct clipped *, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

#endif
