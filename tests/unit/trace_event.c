/* Texts of events: escapes are decoded, and other backslashes stay unchanged. */
#include <stdlib.h>
#include <string.h>

#include "lib/base/alloc.h"
#include "sapp-trace/read/event.h"
#include "tap.h"

static const struct {
	const char *title, *json, *text;
} texts[] = {
	{ "plain letters", "Mul", "Mul" },
	{ "short escapes", "a\\/b\\\\c\\\"d\\n\\t", "a/b\\c\"d\n\t" },
	{ "a letter of one byte", "\\u004dul", "Mul" },
	{ "of two", "\\u00e9\\u00E9", "\xc3\xa9\xc3\xa9" },
	{ "of three", "x\\u4e2dx", "x\xe4\xb8\xadx" },
	{ "of four, by two surrogates", "\\ud83d\\uDE00", "\xf0\x9f\x98\x80" },
	{ "the first surrogate alone", "\\ud83dx", "\\ud83dx" },
	{ "the second alone", "\\ude00", "\\ude00" },
	{ "two first ones", "\\ud83d\\ud83d", "\\ud83d\\ud83d" },
	{ "NUL", "a\\u0000b", "a\\u0000b" },
	{ "too few digits", "\\u00e", "\\u00e" },
	{ "no digits", "\\u00gh", "\\u00gh" },
	{ "a backslash before a u", "\\\\u0041", "\\u0041" },
};

int
main(void)
{
	for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
		char *json = xasprintf("[{\"ph\":\"X\",\"name\":\"%s\"}]", texts[i].json);
		struct scan s;
		struct event e;
		bool same;

		scan_memory(&s, json, strlen(json));
		same = event_next(&s, &e) && e.name.n == strlen(texts[i].text) && text_is(e.name, texts[i].text);
		if (!ok(same, texts[i].title))
			printf("# got %.*s\n", (int)e.name.n, e.name.at);
		scan_close(&s);
		free(json);
	}
	return tap_done();
}
