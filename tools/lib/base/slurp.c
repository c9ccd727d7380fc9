#include "slurp.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "alloc.h"
#include "place.h"
#include "terminal.h"

const char *
slurp_name(const char *path)
{
	return strcmp(path, "-") == 0 ? "<stdin>" : path;
}

size_t
byte_order_mark(const char *text, size_t length)
{
	return length >= 3 && memcmp(text, "\xef\xbb\xbf", 3) == 0 ? 3 : 0;
}

char *
slurp(const char *path, size_t limit, size_t *length)
{
	struct place at = { slurp_name(path), 0 };
	FILE *f = strcmp(path, "-") == 0 ? stdin : fopen(path, "r");
	char *text = NULL;
	size_t n = 0, room = 0, got;

	if (f == stdin)
		terminal_wait("text");
	if (f == NULL)
		place_die(at, "cannot be opened: %s", strerror(errno));
	do {
		if (n + 1 >= room)
			text = xreallocarray(text, 1, room = room == 0 ? 65536 : 2 * room);
		got = fread(text + n, 1, room - n - 1, f);
		n += got;
		if (n > limit)
			place_die(at, "larger than %zu MB", limit >> 20);
	} while (got > 0 && !feof(f));	/* without the test of feof() a terminal would be read once more */
	if (ferror(f))
		place_die(at, "cannot be read: %s", strerror(errno));
	if (f != stdin)
		fclose(f);
	text[n] = '\0';
	*length = n;
	return text;
}
