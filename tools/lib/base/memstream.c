/* If memory runs out, open_memstream() reports it neither in ferror() nor in fclose(), and text would be lost. */
#include "memstream.h"

#include <err.h>
#include <stdlib.h>
#include <string.h>

#include "alloc.h"
#include "status.h"

struct memstream {
	char **text;
	size_t *size;
	size_t room;
};

static ssize_t
append(void *cookie, const char *bytes, size_t n)
{
	struct memstream *m = cookie;

	while (*m->size + n + 1 > m->room)
		*m->text = xreallocarray(*m->text, m->room *= 2, 1);
	memcpy(*m->text + *m->size, bytes, n);
	*m->size += n;
	(*m->text)[*m->size] = '\0';
	return (ssize_t)n;
}

static int
close_cookie(void *cookie)
{
	free(cookie);
	return 0;
}

FILE *
memstream_open(char **text, size_t *size)
{
	struct memstream *m = xcalloc(1, sizeof *m);
	FILE *f = fopencookie(m, "w", (cookie_io_functions_t){ .write = append, .close = close_cookie });

	if (f == NULL)
		err(STATUS_ERROR, "out of memory");
	*m = (struct memstream){ text, size, 128 };
	*text = xcalloc(m->room, 1);
	*size = 0;
	return f;
}

void
memstream_close(FILE *f)
{
	int lost = ferror(f);

	if (fclose(f) != 0 || lost)
		err(STATUS_ERROR, "out of memory");
}
