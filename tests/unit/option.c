/* Values of options: numbers, ranges and lists, and invalid values. */
#include <getopt.h>

#include "lib/base/option.h"
#include "tap.h"

/* STATEMENT must print the usage of the tool. */
#define REFUSES(text, statement) EXITS(2, text, statement, text)

static void
ranges(const char *text, const char *want)
{
	struct grid g = option_ranges("-x", text, 1, 99);
	char got[64] = "";

	for (int i = 0; i < g.stages; i++)
		sprintf(got + strlen(got), " %d", g.at[i]);
	if (!ok(strcmp(got, want) == 0, text))
		printf("# got%s\n", got);
	free(g.at);
}

static void
lists(bool megabytes, const char *text, const char *want)
{
	struct list l = { 0 };
	char got[64] = "";

	options_take(3, (char **)(const char *[]){ "tool", "-x", text, NULL }, "", (struct option_row[]){
		{ "x", "LIST", "numbers", .list = &l, .min = 1, .max = 9999, .megabytes = megabytes }, { 0 } });
	for (int i = 0; i < l.n; i++)
		sprintf(got + strlen(got), " %g", l.at[i]);
	if (!ok(strcmp(got, want) == 0, text))
		printf("# got%s\n", got);
	free(l.at);
	optind = 0;	/* getopt starts at the first argument again */
}

static void
take_twice(void *into, const char *option, char *argument)
{
	*(int *)into += 2 * option_int(option, argument, 1, 9);
}

/* Parse a command line with an option of every type. */
static void
table(void)
{
	static const char *const colours[] = { "red", "blue", NULL };
	bool flag = false, other = false;
	const char *text = NULL;
	int whole = 0, taken = 0, colour = -1, way = 0;
	double real = 0;
	struct grid ranges = { 0 };
	char **rest = options_take(15,
	    (char **)(const char *[]){ "tool", "-f", "-t", "words", "-w", "7",
		"-r=1.5", "-g", "1-3", "-colour", "blue", "--left", "-twice", "4", "operand", NULL }, "",
	    (struct option_row[]){
		{ "f", NULL, "a flag", .flag = &flag }, { "o", NULL, "another", .flag = &other },
		{ "t", "TEXT", "a text", .text = &text },
		{ "w", "N", "a whole number", .whole = &whole, .min = 1, .max = 9 },
		{ "r", "X", "a number", .real = &real, .min = 1, .max = 9 },
		{ "g", "A-B", "ranges", .ranges = &ranges, .min = 1, .max = 9 },
		{ "colour", "red or blue", "a name", .choice = &colour, .names = colours },
		{ "left", NULL, "a value", .choice = &way, .value = 3 },
		{ "twice", "N", "by a function", .take = take_twice, .into = &taken }, { 0 } });

	ok(flag && !other, "a flag that is given, and one that is not");
	ok(text != NULL && strcmp(text, "words") == 0, "a text");
	same(7, whole, "a whole number");
	near(1.5, real, 0, "a number");
	ok(ranges.stages == 3 && ranges.at[2] == 3, "ranges");
	same(1, colour, "a name");
	same(3, way, "a value");
	same(8, taken, "what a function takes");
	ok(strcmp(rest[0], "operand") == 0 && rest[1] == NULL, "and what is left");
	free(ranges.at);
}

int
main(void)
{
	same(7, option_int("-x", "7", 1, 9), "a number");
	same(-7, option_int("-x", "-7", -9, 9), "below 0");
	same(1, option_int("-x", "1", 1, 9), "the least");
	same(9, option_int("-x", "9", 1, 9), "the most");
	REFUSES("-x: not a whole number '7.5'", option_int("-x", "7.5", 1, 9));
	REFUSES("-x: not a whole number '7,8'", option_int("-x", "7,8", 1, 9));
	REFUSES("-x: not a whole number '7-8'", option_int("-x", "7-8", 1, 9));
	REFUSES("-x: not a whole number ''", option_int("-x", "", 1, 9));
	REFUSES("-x: not a whole number ' 7'", option_int("-x", " 7", 1, 9));
	REFUSES("-x: not a whole number 'seven'", option_int("-x", "seven", 1, 9));
	REFUSES("-x: not between 1 and 9 '0'", option_int("-x", "0", 1, 9));
	REFUSES("-x: not between 1 and 9 '10'", option_int("-x", "10", 1, 9));
	REFUSES("-x: not between 1 and 9 '99999999999999999999'", option_int("-x", "99999999999999999999", 1, 9));

	near(7.25, option_real("-x", "7.25", 1, 9), 0, "a number with a point");
	near(1, option_real("-x", "1", 1, 9), 0, "the least");
	near(9, option_real("-x", "9e0", 1, 9), 0, "the most");
	near(0.5, option_real("-x", ".5", 0, 9), 0, "only a point");
	REFUSES("-x: not a number '7,8'", option_real("-x", "7,8", 1, 9));
	REFUSES("-x: not a number ''", option_real("-x", "", 1, 9));
	REFUSES("-x: not a number ' 7'", option_real("-x", " 7", 1, 9));
	REFUSES("-x: not a number '0x7'", option_real("-x", "0x7", 1, 9));
	REFUSES("-x: not a number 'inf'", option_real("-x", "inf", 1, 9));
	REFUSES("-x: not a number '+nan'", option_real("-x", "+nan", 1, 9));
	REFUSES("-x: not a number '1e999'", option_real("-x", "1e999", 1, 9));
	REFUSES("-x: not between 1 and 9 '0.99'", option_real("-x", "0.99", 1, 9));
	REFUSES("-x: not between 1 and 9 '9.01'", option_real("-x", "9.01", 1, 9));

	ranges("5", " 5");
	ranges("1-3,7,9-9", " 1 2 3 7 9");
	REFUSES("-x: range runs backwards '3-1'", option_ranges("-x", "3-1", 1, 99));
	REFUSES("-x: not a whole number '1-'", option_ranges("-x", "1-", 1, 99));
	REFUSES("-x: not a whole number '1,'", option_ranges("-x", "1,", 1, 99));
	REFUSES("-x: not a number, range or list '1-2-3'", option_ranges("-x", "1-2-3", 1, 99));
	REFUSES("-x: not between 1 and 99 '1-100'", option_ranges("-x", "1-100", 1, 99));

	near(57.5 * 1024, option_megabytes("-x", "57.5GB", 1, 99999), 0, "gigabytes");
	near(512, option_megabytes("-x", "512MB", 1, 99999), 0, "megabytes");
	near(512, option_megabytes("-x", "512", 1, 99999), 0, "megabytes without a unit");
	REFUSES("-x: not a number (of MB, MiB, GB or GiB) '40G'", option_megabytes("-x", "40G", 1, 99999));
	REFUSES("-x: not a number (of MB, MiB, GB or GiB) '40GBs'", option_megabytes("-x", "40GBs", 1, 99999));
	REFUSES("-x: not a number 'GB'", option_megabytes("-x", "GB", 1, 99999));
	REFUSES("-x: not between 1 and 99999 '100GB'", option_megabytes("-x", "100GB", 1, 99999));
	REFUSES("-x: not a number '40GB'", option_real("-x", "40GB", 1, 99999));

	lists(false, "1.5,2,3e1", " 1.5 2 30");
	lists(true, "1.5,2GB,3e1MB", " 1.5 2048 30");
	REFUSES("-x: not a number or list of numbers '1;2'", lists(false, "1;2", ""));
	REFUSES("-x: not a number '1,,2'", lists(false, "1,,2", ""));
	REFUSES("-x: not between 1 and 9999 '1,10000'", lists(false, "1,10000", ""));
	table();
	return tap_done();
}
