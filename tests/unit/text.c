/* Text in memory, and control characters. */
#include <string.h>

#include "lib/base/control.h"
#include "lib/base/memstream.h"
#include "lib/base/whole.h"
#include "tap.h"

static void
streams(void)
{
	char *text;
	size_t size;
	FILE *f = memstream_open(&text, &size);

	memstream_close(f);
	ok(size == 0 && *text == '\0', "nothing written: no text");
	free(text);
	f = memstream_open(&text, &size);
	for (int i = 0; i < 100000; i++)
		fprintf(f, "%d,", i % 10);
	memstream_close(f);
	ok(size == 200000 && strlen(text) == size && memcmp(text + size - 4, "8,9,", 4) == 0, "a long text");
	free(text);
	f = memstream_open(&text, &size);
	fwrite("a\0b", 1, 3, f);
	memstream_close(f);
	ok(size == 3 && memcmp(text, "a\0b", 4) == 0, "a NUL within it");
	free(text);
}

static void
masked(const char *in, const char *want, const char *name)
{
	char text[64];

	strcpy(text, in);
	control_mask(text);
	if (!ok(strcmp(text, want) == 0 && control_any(in) == (strcmp(in, want) != 0), name))
		printf("# got '%s'\n", text);
}

static void
wholes(void)
{
	ok(whole_of("12 and more", 100) == 12 && whole_of("-3", 100) == -3, "a whole number");
	ok(whole_of("", 100) == 0 && whole_of("x", 100) == 0, "none is 0");
	ok(whole_of("99999999999999999999", 100) == 100 && whole_of("101", 100) == 100, "no more than the most");
	ok(whole_of("-99999999999999999999", 2147483647) == -2147483647, "nor less");
}

int
main(void)
{
	wholes();
	streams();
	masked("plain, \xc3\xa4, \xe4\xb8\xad, \xf0\x9f\x98\x80", "plain, \xc3\xa4, \xe4\xb8\xad, \xf0\x9f\x98\x80",
	    "letters stay");
	masked("a\tb\x1b[31m\x7f", "a?b?[31m?", "C0 controls and DEL");
	masked("\xc2\x9b" "31m\xc2\x85", "?31m?", "C1 controls");
	masked("\xe2\x80\xae" "gpj.exe\xe2\x81\xa6", "?gpj.exe?", "marks that turn the direction");
	masked("\xe2\x80\xa8\xe2\x80\x8f\xd8\x9c", "???", "line separators, marks of a direction");
	masked("a\xff\xc3+", "a??+", "what is not UTF-8");
	masked("\xc0\x9b\xed\xa0\x80\xe2\x80", "???????", "longer than need be, surrogates, cut");
	masked("", "", "nothing");
	return tap_done();
}
