/* Text in a buffer of fixed size. Text that does not fit is dropped, and a flag is set. */
#ifndef CLIPPED_H
#define CLIPPED_H

#include <stdbool.h>
#include <stddef.h>

struct clipped {
	char *at;		/* the buffer, NUL-terminated, not owned */
	size_t n;		/* number of bytes of the text, without the NUL */
	size_t size;		/* number of bytes of the buffer */
	bool cut;		/* some text did not fit */
};

/* Start an empty text in ARRAY. A pointer instead of an array does not compile. */
#define CLIPPED(array) clipped_new((array), sizeof (array) + 0 * sizeof(char \
	[__builtin_types_compatible_p(__typeof__(array), __typeof__(&(array)[0])) ? -1 : 1]))

struct clipped clipped_new(char *buffer, size_t size);
/* Append the part of the N bytes that fits. */
void clipped_add(struct clipped *, const char *text, size_t n);
void clipped_print(struct clipped *, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

#endif
