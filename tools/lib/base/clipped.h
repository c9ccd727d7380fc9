/* Text in a buffer of fixed size: what does not fit is left out, and told. */
#ifndef CLIPPED_H
#define CLIPPED_H

#include <stdbool.h>
#include <stddef.h>

struct clipped {
	char *at;		/* the buffer, not owned; ended by NUL */
	size_t n;		/* bytes in it, without the NUL */
	size_t size;		/* of the buffer */
	bool cut;		/* something did not fit */
};

/* An array begins without text; a pointer in its place does not compile. */
#define CLIPPED(array) clipped_new((array), sizeof (array) + 0 * sizeof(char \
	[__builtin_types_compatible_p(__typeof__(array), __typeof__(&(array)[0])) ? -1 : 1]))

/* SIZE > 0. */
struct clipped clipped_new(char *buffer, size_t size);
/* Appends as many of N bytes as have room. */
void clipped_add(struct clipped *, const char *text, size_t n);
void clipped_print(struct clipped *, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

#endif
