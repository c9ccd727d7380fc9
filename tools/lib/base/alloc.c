#include "alloc.h"

#include <err.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cleanup.h"
#include "status.h"

void *
alloc_checked(void *p)
{
	static _Thread_local bool ending;	/* this thread is already printing its message */

	if (p != NULL)
		return p;
	/* Flushing at exit may need memory and fail here again. */
	if (ending) {
		cleanup_all();
		_exit(STATUS_ERROR);
	}
	ending = true;
	err(STATUS_ERROR, "out of memory");
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

void *
array_room(void *at, size_t n, size_t size)
{
	return (n & (n - 1)) == 0 ? xreallocarray(at, n > 0 ? 2 * n : 1, size) : at;
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
