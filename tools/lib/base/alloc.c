/* Allocation that ends the program with a message when memory runs out. */
#include "alloc.h"

#include <err.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "status.h"

void *
alloc_checked(void *p)
{
	if (p == NULL)
		err(STATUS_ERROR, "out of memory");
	return p;
}

void *
xcalloc(size_t n, size_t size)
{
	return alloc_checked(calloc(n ? n : 1, size ? size : 1));
}

void *
xreallocarray(void *p, size_t n, size_t size)
{
	return alloc_checked(reallocarray(p, n ? n : 1, size ? size : 1));
}

char *
xstrdup(const char *s)
{
	return alloc_checked(strdup(s));
}

char *
xstrndup(const char *s, size_t n)
{
	return alloc_checked(strndup(s, n));
}

char *
xvasprintf(const char *fmt, va_list ap)
{
	char *s;

	return alloc_checked(vasprintf(&s, fmt, ap) < 0 ? NULL : s);
}

char *
xasprintf(const char *fmt, ...)
{
	va_list ap;
	char *s;

	va_start(ap, fmt);
	s = xvasprintf(fmt, ap);
	va_end(ap);
	return s;
}
