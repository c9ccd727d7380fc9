/*
 * Records as lines. The quick and the careful reader must agree on every line that the quick reader accepts. Also tests
 * lines that one of them refuses, and both writers.
 */
#include <limits.h>

#include "lib/base/alloc.h"
#include "lib/field/xjson.h"
#include "lib/record/line.h"
#include "tap.h"

static const char *const colours[] = { "red", "green", NULL };
struct inner {
	uint64_t given;
	int n;
};
static const struct field inner_field[] = { REQUIRED(inner, n, ANY) };
static const struct fields inner_fields = FIELDS(inner, "inner");
struct outer {
	uint64_t given;
	char *name;
	int count, colour;
	double real, share;
	bool yes;
	struct list list;
	struct inner inner;
	struct table table;
	struct grid grid;
	struct amounts amounts;
	struct texts texts;
};
static const struct field outer_field[] = {
	REQUIRED(outer, name, ANY),
	OPTIONAL(outer, count, POSITIVE),
	CHOICE(outer, colour, true, colours),
	OPTIONAL(outer, real, ANY),
	OPTIONAL(outer, share, NONNEGATIVE),
	OPTIONAL(outer, yes, ANY),
	OPTIONAL(outer, list, NONNEGATIVE),
	NESTED(FIELD_OBJECT, outer, inner, true, &inner_fields),
	OPTIONAL(outer, table, ANY),
	OPTIONAL(outer, grid, NONNEGATIVE),
	OPTIONAL(outer, amounts, ANY),
	OPTIONAL(outer, texts, ANY),
};
static const struct fields outer_fields = FIELDS(outer, "outer");
static const struct place here = { "line.jsonl", 3 };

static struct outer
careful(const char *text)
{
	struct outer o = { 0 };
	json_error_t error;
	json_t *object = xjson_parse(text, strlen(text), &error);

	if (object == NULL)
		place_die(here, "not JSON '%s'", error.text);
	fields_get(&outer_fields, &o, object, here);
	json_decref(object);
	return o;
}

/* Write a struct as a line. */
static char *
printed(const struct outer *o)
{
	struct line l = { 0 };
	char *text;

	line_print(&l, "outer", &outer_fields, o);
	text = xstrndup(l.at, l.length);
	line_free(&l);
	return text;
}

/* Read a record with these members with both readers, and compare the results. */
static void
taken(const char *members)
{
	struct outer quick = { 0 }, slow;
	char text[4096], *one, *other;

	snprintf(text, sizeof text, "{\"kind\":\"outer\"%s}", members);
	if (!ok(line_scan(text, "outer", &outer_fields, &quick), members))
		return;
	slow = careful(text);
	one = printed(&quick);
	other = printed(&slow);
	if (!ok(strcmp(one, other) == 0 && quick.real == slow.real, "is read as by the careful reader"))
		printf("# %s# %s", one, other);
	free(one);
	free(other);
	fields_free(&outer_fields, &quick);
	fields_free(&outer_fields, &slow);
}

/* Check that the quick reader refuses the line TEXT. */
static void
left(const char *text)
{
	struct outer o = { 0 };

	ok(!line_scan(text, "outer", &outer_fields, &o) && o.given == 0 && o.name == NULL, text);
}

static void
left_members(const char *members)
{
	char text[4096];

	snprintf(text, sizeof text, "{\"kind\":\"outer\",\"name\":\"a\"%s}", members);
	left(text);
}

static void
refused(const char *members, const char *message)
{
	char text[4096];

	snprintf(text, sizeof text, "{\"kind\":\"outer\"%s}", members);
	DIES(message, careful(text), message);
}

/* Check that X, as a member of a table of exact numbers, is printed as WANT. */
static void
back_exactly(const struct fields *exact, double x, const char *want)
{
	char name[] = "a", title[64];
	double row[] = { 1, x };
	struct outer o = { .given = 1, .name = name }, again;
	struct line l = { 0 };

	GIVE(outer, &o, real, x);
	GIVE(outer, &o, list, ((struct list){ 2, row }));
	GIVE(outer, &o, table, ((struct table){ 1, 2, row }));
	line_print(&l, "outer", exact, &o);
	l.at[l.length - 1] = '\0';
	again = careful(l.at);
	snprintf(title, sizeof title, "%.17g, exactly", x);
	if (!ok(again.real == x && again.list.at[1] == x && again.table.at[1] == x && strstr(l.at, want) != NULL,
	    title))
		printf("# %s\n", l.at);
	line_free(&l);
	fields_free(&outer_fields, &again);
}

/* Check that the careful reader reads X as printed as the same number. */
static void
back(double x)
{
	char name[] = "a", title[40];
	struct outer o = { .given = 1, .name = name }, again;
	char *text;

	GIVE(outer, &o, real, x);
	text = printed(&o);
	again = careful(text);
	snprintf(title, sizeof title, "%.17g", x);
	if (!ok(fabs(again.real - x) <= 1e-14 * fabs(x), title))
		printf("# %s", text);
	free(text);
	fields_free(&outer_fields, &again);
}

static void
print_infinity(void)
{
	char name[] = "a";
	struct outer o = { .given = 1, .name = name };

	GIVE(outer, &o, real, INFINITY);
	printed(&o);
}

static void
exactly(void)
{
	struct fields exact = outer_fields;

	exact.exact = true;
	back_exactly(&exact, 0.1, "\"real\":0.1,");
	back_exactly(&exact, 1. / 3, "\"real\":0.3333333333333333,");
	back_exactly(&exact, 0.1 + 0.2, "\"real\":0.30000000000000004,");
	back_exactly(&exact, 56000, "\"real\":56000,");
	back_exactly(&exact, 12345.678901234567, "\"real\":12345.678901234567,");
	back_exactly(&exact, 5e-324, "\"real\":");
	for (int i = 0; i < 200; i++)
		back_exactly(&exact, sqrt(i) * pow(10, i % 30 - 20), "\"real\":");
}

int
main(void)
{
	char many[2000] = ",\"name\":\"a\",\"list\":[0";

	taken(",\"name\":\"a\"");
	taken("\t, \"name\" :\t\"a b\" , \"count\" : 7 ");
	taken(",\"count\":2147483647,\"name\":\"a\"");
	taken(",\"name\":\"a\",\"real\":0,\"share\":0.0");
	taken(",\"name\":\"a\",\"real\":-0.25");
	taken(",\"name\":\"a\",\"real\":-12");
	taken(",\"name\":\"a\",\"real\":1e3");
	taken(",\"name\":\"a\",\"real\":1.5E+3");
	taken(",\"name\":\"a\",\"real\":1.5e-3");
	taken(",\"name\":\"a\",\"real\":123456789.0123");
	taken(",\"name\":\"a\",\"colour\":\"green\",\"yes\":true");
	taken(",\"name\":\"a\",\"colour\":\"red\",\"yes\":false");
	taken(",\"name\":\"a\",\"list\":[1, 2.5 ,3]");
	taken(",\"name\":\"a\",\"list\":[1]");
	taken(",\"name\":\"a\",\"inner\":{\"n\":-3}");
	taken(",\"name\":\"a\",\"inner\": { \"n\" : 3 }");
	taken(",\"name\":\"a\",\"inner\":{\"n\":-2147483647}");
	for (int i = 1; i < 200; i++)
		sprintf(many + strlen(many), ",%d", i);
	taken(strcat(many, "]"));

	exactly();
	left("[]");
	left("{}");
	left("{\"name\":\"a\",\"kind\":\"outer\"}");
	left("{\"kind\" \"outer\"}");
	left("{\"kind\":1}");
	left("{\"kind\":\"out\",\"name\":\"a\"}");
	left("{\"kind\":\"outermost\",\"name\":\"a\"}");
	left("{\"kind\":\"outer\"}");
	left("{\"kind\":\"outer\",\"name\":\"a\"} x");
	left("{\"kind\":\"outer\" \"name\":\"a\"}");
	left("{\"kind\":\"outer\",name:\"a\"}");
	left("{\"kind\":\"outer\",\"name\"=\"a\"}");
	left("{\"kind\":\"outer\",\"na");
	left("{\"kind\":\"outer\",\"name\":a}");
	left("{\"kind\":\"outer\",\"name\":\"a");
	left("{\"kind\":\"outer\",\"name\":\"\\u0041\"}");
	left("{\"kind\":\"outer\",\"name\":\"\xc3\xa4\"}");
	left_members(",\"name\":\"b\"");
	left_members(",\"other\":1");
	left_members(",\"count\":0");
	left_members(",\"count\":1.5");
	left_members(",\"count\":2147483648");
	left_members(",\"count\":x");
	left_members(",\"real\":01");
	left_members(",\"real\":1.");
	left_members(",\"real\":1.x");
	left_members(",\"real\":1e");
	left_members(",\"real\":1ex");
	left_members(",\"real\":1e99999");
	left_members(",\"real\":1e-30");
	left_members(",\"real\":1234567890123456789");
	left_members(",\"real\":9999999999999999");
	left_members(",\"real\":\"1\"");
	left_members(",\"share\":-1");
	left_members(",\"yes\":1");
	left_members(",\"colour\":\"gree\"");
	left_members(",\"colour\":\"greenish\"");
	left_members(",\"colour\":2");
	left_members(",\"colour\":\"gre");
	left_members(",\"list\":1");
	left_members(",\"list\":[]");
	left_members(",\"list\":[1;2]");
	left_members(",\"list\":[1,-2]");
	left_members(",\"list\":[1,x]");
	left_members(",\"inner\":[]");
	left_members(",\"inner\":{\"m\":1}");
	left_members(",\"inner\":{}");
	left_members(",\"table\":[1,2]");
	left_members(",\"texts\":[]");

	refused("", "outer: missing member 'name'");
	refused(",\"name\":1", "outer: name: not a string '1'");
	refused(",\"name\":\"a\\u0007\"", "outer: name: control characters");
	refused(",\"name\":\"a\",\"other\":1", "outer: other: unknown member");
	refused(",\"name\":\"a\",\"count\":1.5", "outer: count: not a whole number '1.5'");
	refused(",\"name\":\"a\",\"count\":3000000000", "outer: count: ");
	refused(",\"name\":\"a\",\"count\":-3000000000", "outer: count: ");
	refused(",\"name\":\"a\",\"count\":0", "outer: count: not positive '0'");
	refused(",\"name\":\"a\",\"real\":\"1\"", "outer: real: not a number '\"1\"'");
	refused(",\"name\":\"a\",\"real\":null", "outer: real: not a number 'null'");
	refused(",\"name\":\"a\",\"share\":-1", "outer: share: ");
	refused(",\"name\":\"a\",\"yes\":1", "outer: yes: neither true nor false");
	refused(",\"name\":\"a\",\"colour\":\"blue\"", "outer: colour: not one of");
	refused(",\"name\":\"a\",\"colour\":1", "outer: colour: not a string");
	refused(",\"name\":\"a\",\"list\":{}", "outer: list: ");
	refused(",\"name\":\"a\",\"list\":[1,\"2\"]", "not a number '\"2\"'");
	refused(",\"name\":\"a\",\"list\":[[1],[2]]", "outer: list: ");
	refused(",\"name\":\"a\",\"inner\":1", "inner: not an object");
	refused(",\"name\":\"a\",\"table\":[[]]", "outer: table: empty");
	refused(",\"name\":\"a\",\"table\":[[1,2],[3]]", "outer: table: ");
	refused(",\"name\":\"a\",\"table\":[[1,2],3]", "outer: table: ");
	refused(",\"name\":\"a\",\"table\":\"x\"", "outer: table: ");
	refused(",\"name\":\"a\",\"grid\":[1,2.5]", "outer: grid: ");
	refused(",\"name\":\"a\",\"grid\":[1,-2]", "outer: grid: ");
	refused(",\"name\":\"a\",\"amounts\":[1]", "outer: amounts: not an object");
	refused(",\"name\":\"a\",\"amounts\":{\"x\":\"y\"}", "outer: amounts");
	refused(",\"name\":\"a\",\"amounts\":{\"x\\u001b\":1}", "control characters");
	refused(",\"name\":\"a\",\"texts\":\"x\"", "outer: texts: not a list");
	refused(",\"name\":\"a\",\"texts\":[1]", "outer: texts: not a string");
	refused(",\"name\":\"a\",\"texts\":[\"\\u0001\"]", "control characters");
	refused(",\"name\":\"0123456789012345678901234567890123456789012345678901234567890123456789\\u0007\"",
	    "45678...'");

	{
		struct outer o = careful("{\"name\":\"\\\"\xc3\xa4\",\"list\":4,\"table\":[[1,2],[3,4]],\"grid\":5,"
		    "\"amounts\":{\"x\":1.5},\"texts\":[\"a\"],\"count\":3,\"real\":-2.5}");
		char *text = printed(&o);
		struct outer again = careful(text);
		char *twice = printed(&again);

		ok(strcmp(text, twice) == 0 && strstr(text, "\"list\":4,") != NULL &&
		    strstr(text, "\"table\":[[1,2],[3,4]]") != NULL, "all that there is, written and read again");
		free(text);
		free(twice);
		fields_free(&outer_fields, &o);
		fields_free(&outer_fields, &again);
	}
	back(0);
	back(-3);
	back(1e15);
	back(1e17);
	back(-1e-7);
	back(1e-300);
	back(1e-6);
	back(0.000123456789012345);
	back(1.0 / 3);
	back(-2.0 / 3 * 1e5);
	back(99999999999999.5);
	back(123456789.123456789);
	back(0.999999999999999);
	DIES("a result is not a finite number", print_infinity(), "infinity is not written");
	return tap_done();
}
