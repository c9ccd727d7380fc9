/*
 * Text in buffers of fixed size: text that fits is complete, longer text is reported, and no byte is written after the
 * end.
 */
#include <string.h>

#include "lib/base/clipped.h"
#include "tap.h"

static bool
one_size(size_t size)
{
	static const char letters[] = "xxxxxxxxxxxxxxxxxxxx";
	char buffer[40], want[40];
	struct clipped c;
	bool good = true;

	for (size_t first = 0; first < 20; first++)
		for (size_t second = 0; second < 20; second++) {
			size_t all = first + second, fit = all < size - 1 ? all : size - 1;

			memset(buffer, '#', sizeof buffer);
			memset(want, 'x', sizeof want);
			want[fit] = '\0';
			c = clipped_new(buffer, size);
			clipped_add(&c, letters, first);
			clipped_print(&c, "%.*s", (int)second, letters);
			good &= c.n == fit && c.cut == (all > size - 1) && strcmp(buffer, want) == 0;
			clipped_add(&c, "y", 1);
			good &= c.n == (all < size - 1 ? fit + 1 : size - 1) && c.cut == (all + 1 > size - 1);
			good &= buffer[size] == '#';
		}
	return good;
}

int
main(void)
{
	char array[7], name[40];
	struct clipped c = CLIPPED(array), title;

	ok(c.size == 7 && c.n == 0 && *array == '\0', "an array begins without text");
	for (size_t size = 1; size < 39; size += size < 4 ? 1 : 7) {
		title = CLIPPED(name);
		clipped_print(&title, "0 to 38 letters and one more into %zu", size);
		ok(one_size(size), name);
	}
	return tap_done();
}
