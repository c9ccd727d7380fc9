/* The YAML reader: accepted files, refused files, and bounds on its time and memory. */
#include <stdlib.h>

#include "lib/yaml/yaml.h"
#include "tap.h"

static struct yaml *
parse(const char *text)
{
	return yaml_parse(text, strlen(text), "t.yaml");
}

static char *
repeat(const char *unit, int n, const char *tail)
{
	size_t length = strlen(unit);
	char *text = malloc((size_t)n * length + strlen(tail) + 1);

	for (int i = 0; i < n; i++)
		memcpy(text + (size_t)i * length, unit, length);
	strcpy(text + (size_t)n * length, tail);
	return text;
}

static void
accepted(void)
{
	static const char *const keys[] = { "a", "b", "c", "d", "e", "f", NULL };
	static const char *const few[] = { "a", "b", "c", NULL };
	struct yaml *y = parse("# comment\na: 1\nb: &x [1.e-8, -2.5, .5]\nc: {d: *x, e: 'true'}\n"
	    "d: On  # trailing\ne: ~\nf: \"5\"\n");

	yaml_known(y, keys);
	same(YAML_MAP, y->type, "a map at the top");
	same(6, y->n, "its entries");
	same(1, yaml_int(yaml_need(y, "a"), "a", 0, 5), "an integer");
	near(1e-8, yaml_real(yaml_get(y, "b")->item[0], "b", 0, 1), 0, "the float 1.e-8");
	near(.5, yaml_real(yaml_get(y, "b")->item[2], "b", 0, 1), 0, "the float .5");
	ok(yaml_get(yaml_get(y, "c"), "d") == yaml_get(y, "b"), "an alias shares its node");
	same(4, yaml_get(y, "c")->place.line, "the line of a value");
	same(5, y->key_place[3].line, "the line of a key");
	ok(yaml_bool(yaml_get(y, "d"), "d"), "On is true");
	ok(!yaml_is_bool(yaml_get(yaml_get(y, "c"), "e")), "'true' in quotes is text");
	ok(yaml_is_null(yaml_get(y, "e")), "~ is null");
	ok(strcmp(yaml_string(yaml_get(y, "f"), "f"), "5") == 0, "\"5\" is text");
	ok(yaml_get(y, "g") == NULL && yaml_get(NULL, "g") == NULL, "a missing key is NULL");
	DIES("t.yaml:7: f: expected a whole number, not text in quotes '5'",
	    yaml_int(yaml_get(y, "f"), "f", 0, 9), "text in quotes is no number");
	DIES("t.yaml:2: a: not between 2 and 5 '1'", yaml_int(yaml_get(y, "a"), "a", 2, 5), "out of range");
	DIES("t.yaml:3: b: expected a number, not a list", yaml_real(yaml_get(y, "b"), "b", 0, 1),
	    "a list is no number");
	DIES("t.yaml:2: missing key 'g'", yaml_need(y, "g"), "a missing key that is needed");
	DIES("t.yaml:5: unknown key 'd'; known: a b c", yaml_known(y, few),
	    "an unknown key with its line and the known ones");
	yaml_release(y);

	y = parse(
	    "base: &b {x: 1, y: 2}\nmore: {<<: *b, y: 3}\ntext: |\n  two\n  lines\ntwo: {<<: [*b, {z: 4}]}\n");
	same(2, yaml_get(y, "more")->n, "a merge keeps existing keys");
	same(1, yaml_int(yaml_get(yaml_get(y, "more"), "x"), "x", 0, 9), "and adds missing keys");
	same(3, yaml_int(yaml_get(yaml_get(y, "more"), "y"), "y", 0, 9), "and does not replace");
	same(4, yaml_int(yaml_get(yaml_get(y, "two"), "z"), "z", 0, 9), "a merge of several maps");
	ok(strcmp(yaml_string(yaml_get(y, "text"), "text"), "two\nlines\n") == 0, "a block scalar");
	yaml_release(y);
	y = parse("a: 1\r\nb: !!str 7\r\n");
	DIES("in quotes '7'", yaml_int(yaml_get(y, "b"), "b", 0, 9), "!!str makes text of a number");
	yaml_release(y);
	y = parse("\xef\xbb\xbf[1, 2]");
	same(2, y->n, "a byte order mark");
	yaml_release(y);
}

/* Return whether the node has this value. */
static bool
spans(const char *text, struct yaml_span span, const char *want)
{
	return span.end - span.start == strlen(want) &&
	    memcmp(text + span.start, want, span.end - span.start) == 0;
}

static void
positions(void)
{
	static const char text[] =
	    "\xef\xbb\xbf# Ünïcödé\r\na: &x [1,\r\n  2 ]  # c\r\nb:\r\n  - *x\r\n  - é: 'ü'   # behind\r\n\r\n"
	    "c: &y\r\n  d: 1\r\n\r\ne: {<<: *y}\r\nf:\r\n";
	struct yaml *y = parse(text);
	const struct yaml *b = yaml_get(y, "b");

	ok(spans(text, y->item_span[0], "&x [1,\r\n  2 ]"), "a flow list over two lines, with its anchor");
	ok(y->item[0]->flow && y->item[0]->anchored && !b->flow, "flow and anchors are known");
	ok(spans(text, y->key_span[1], "b"), "a key");
	ok(spans(text, b->item_span[0], "*x"), "an alias has its own place");
	ok(spans(text, b->item_span[1], "\xc3\xa9: '\xc3\xbc'"), "bytes, not characters");
	ok(spans(text, y->item_span[1], "- *x\r\n  - \xc3\xa9: '\xc3\xbc'"),
	    "a block list ends behind its last entry");
	ok(spans(text, y->item_span[2], "&y\r\n  d: 1"), "so does a map");
	ok(y->item[3]->n == 1 && y->item[3]->item_span[0].end == 0, "keys of a merge are not in the map itself");
	ok(y->item_span[4].start == y->item_span[4].end, "nothing takes no room");
	same(4, yaml_find(y, "f"), "an entry is found");
	same(-1, yaml_find(y, "g"), "one that is not there is not");
	yaml_release(y);
}

static void
refused(void)
{
	static const struct { const char *text, *message, *name; } bad[] = {
		{ "", "empty", "nothing" },
		{ "# only a comment\n", "empty", "only a comment" },
		{ "a: 1\na: 2\n", "t.yaml:2: duplicate key, first on line 1 'a'", "a key twice" },
		{ "a: 1\n---\nb: 2\n", "t.yaml:2: a second document", "two documents" },
		{ "a: [1, 2\nb: 3\n", "t.yaml:2: not YAML", "an open list" },
		{ "a: *x\n", "t.yaml:1: alias of an unknown anchor '*x'", "an alias of nothing" },
		{ "a: &x [*x]\n", "t.yaml:1: alias inside the node that it refers to '*x'", "an alias in itself" },
		{ "a: !car 5\n", "t.yaml:1: tags are not supported '!car'", "a tag" },
		{ "? [1]\n: 2\n", "t.yaml:1: a list or map as a key", "a list as a key" },
		{ "a: \"x\\0y\"\n", "t.yaml:1: a NUL byte in text", "a NUL" },
		{ "a: \xff\xfe\n", "not text in UTF-8", "not UTF-8" },
		{ "a:\n\t- 1\n", "t.yaml:2: not YAML", "a tab" },
		{ "a: {<<: 5}\n", "t.yaml:1: '<<': expected a map", "a merge of a number" },
		{ "&k a: 1\n", "an anchor on a key", "an anchor on a key" },
	};
	char *text;

	for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++)
		DIES(bad[i].message, parse(bad[i].text), bad[i].name);

	text = repeat("[", 65, "");
	DIES("more than 64 levels deep", parse(text), "65 levels");
	free(text);
	text = repeat("[", 100000, "");
	DIES("", parse(text), "100000 levels");
	free(text);
	text = repeat("- 1\n", 200001, "");
	DIES("more than 200000 values", parse(text), "too many values");
	free(text);
	DIES("aliases expand to more than",
	    parse("a: &a [1,1,1,1,1,1,1,1,1,1]\nb: &b [*a,*a,*a,*a,*a,*a,*a,*a,*a,*a]\n"
		  "c: &c [*b,*b,*b,*b,*b,*b,*b,*b,*b,*b]\nd: &d [*c,*c,*c,*c,*c,*c,*c,*c,*c,*c]\n"
		  "e: &e [*d,*d,*d,*d,*d,*d,*d,*d,*d,*d]\nf: &f [*e,*e,*e,*e,*e,*e,*e,*e,*e,*e]\n"),
	    "nested aliases");
	DIES("/nonexistent.yaml: cannot be opened", yaml_read("/nonexistent.yaml"),
	    "a file that is not there");
}

int
main(void)
{
	accepted();
	positions();
	refused();
	return tap_done();
}
