/* Values of options: numbers, ranges and lists, and what is none of these. */
#include "lib/base/option.h"
#include "tap.h"

/* STATEMENT, run in a child, must say how it is called: status 2 and TEXT. */
#define REFUSES(text, statement) do { \
	pid_t pid_; \
	FILE *errors_ = tap_fork(&pid_); \
	if (pid_ == 0) { \
		statement; \
		_exit(0); \
	} \
	tap_refused(pid_, errors_, text); \
} while (0)

static void
tap_refused(pid_t pid, FILE *errors, const char *text)
{
	char message[4096];
	int status;

	waitpid(pid, &status, 0);
	rewind(errors);
	message[fread(message, 1, sizeof message - 1, errors)] = '\0';
	fclose(errors);
	if (!ok(WIFEXITED(status) && WEXITSTATUS(status) == 2 && strstr(message, text) != NULL, text))
		printf("# got      wait status %d, %s\n", status, message);
}

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

int
main(void)
{
	struct list l;

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

	l = option_list("-x", "1.5,2,3e1", 1, 99);
	ok(l.n == 3 && l.at[0] == 1.5 && l.at[1] == 2 && l.at[2] == 30, "a list of numbers");
	free(l.at);
	REFUSES("-x: not a number or list of numbers '1;2'", option_list("-x", "1;2", 1, 99));
	REFUSES("-x: not a number '1,,2'", option_list("-x", "1,,2", 1, 99));
	REFUSES("-x: not between 1 and 99 '1,100'", option_list("-x", "1,100", 1, 99));
	return tap_done();
}
