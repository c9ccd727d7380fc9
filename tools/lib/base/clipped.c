#include "clipped.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

struct clipped
clipped_new(char *buffer, size_t size)
{
	buffer[0] = '\0';
	return (struct clipped){ .at = buffer, .size = size };
}

void
clipped_add(struct clipped *c, const char *text, size_t n)
{
	size_t room = c->size - 1 - c->n;	/* n is always below size */

	if (n > room) {
		c->cut = true;
		n = room;
	}
	memcpy(c->at + c->n, text, n);
	c->n += n;
	c->at[c->n] = '\0';
}

void
clipped_print(struct clipped *c, const char *fmt, ...)
{
	size_t room = c->size - 1 - c->n;
	va_list ap;
	int n;

	va_start(ap, fmt);
	n = vsnprintf(c->at + c->n, room + 1, fmt, ap);
	va_end(ap);
	c->cut |= n < 0 || (size_t)n > room;
	c->n += n < 0 ? 0 : (size_t)n > room ? room : (size_t)n;
}
