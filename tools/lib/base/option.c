#include "option.h"

#include <ctype.h>
#include <err.h>
#include <errno.h>
#include <getopt.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "alloc.h"
#include "output.h"
#include "spelling.h"
#include "status.h"

#ifndef VERSION
#define VERSION "unknown"
#endif

#define UNITS " (of MB, MiB, GB or GiB)"

/* Parse a number at the start of TEXT. Set *END to the end of the number, and with MEGABYTES of its unit. */
static double
number(const char *option, const char *text, const char *whole, char **end, bool megabytes, double min, double max)
{
	static const struct { const char *unit; double mb; } units[] = {
		{ "MB", 1 }, { "MiB", 1 }, { "GB", 1024 }, { "GiB", 1024 }
	};
	double x;

	errno = 0;
	x = strtod(text, end);
	/* strtod() also accepts blanks in front, hexadecimal numbers, infinity and NaN. */
	if (*end == text || text[strspn(text, "+-.0123456789eE")] == 'x' || !strchr("+-.0123456789", *text) ||
	    !isfinite(x))
		errx(STATUS_USAGE, "%s: not a number '%s'", option, whole);
	for (size_t i = 0; megabytes && i < sizeof units / sizeof units[0]; i++)
		if (strncmp(*end, units[i].unit, strlen(units[i].unit)) == 0) {
			x *= units[i].mb;
			*end += strlen(units[i].unit);
			break;
		}
	if (x < min || x > max)
		errx(STATUS_USAGE, "%s: not between %g and %g '%s'", option, min, max, whole);
	return x;
}

static int
integer(const char *option, const char *text, const char *whole, char **end, int min, int max)
{
	long n;

	errno = 0;
	n = strtol(text, end, 10);
	/* Reject blanks in front. In a list or range, more may follow the number. */
	if (*end == text || !strchr("+-0123456789", *text) || !strchr(",-", **end))
		errx(STATUS_USAGE, "%s: not a whole number '%s'", option, whole);
	if (errno != 0 || n < min || n > max)
		errx(STATUS_USAGE, "%s: not between %d and %d '%s'", option, min, max, whole);
	return (int)n;
}

int
option_int(const char *option, const char *text, int min, int max)
{
	char *end;
	int n = integer(option, text, text, &end, min, max);

	if (*end != '\0')
		errx(STATUS_USAGE, "%s: not a whole number '%s'", option, text);
	return n;
}

static double
one_number(const char *option, const char *text, bool megabytes, double min, double max)
{
	char *end;
	double x = number(option, text, text, &end, megabytes, min, max);

	if (*end != '\0')
		errx(STATUS_USAGE, "%s: not a number%s '%s'", option, megabytes ? UNITS : "", text);
	return x;
}

double
option_real(const char *option, const char *text, double min, double max)
{
	return one_number(option, text, false, min, max);
}

double
option_megabytes(const char *option, const char *text, double min, double max)
{
	return one_number(option, text, true, min, max);
}

/* Return the number of numbers in TEXT. Store them in INTO unless it is NULL. */
static int
each_range(const char *option, const char *text, int min, int max, int *into)
{
	char *at = (char *)text;
	int n = 0;

	for (;;) {
		int from = integer(option, at, text, &at, min, max), to = from;

		if (*at == '-') {
			to = integer(option, at + 1, text, &at, min, max);
			if (to < from)
				errx(STATUS_USAGE, "%s: range runs backwards '%s'", option, text);
		}
		for (; from <= to; from++, n++)
			if (into != NULL)
				into[n] = from;
		if (*at == '\0')
			return n;
		if (*at++ != ',')
			errx(STATUS_USAGE, "%s: not a number, range or list '%s'", option, text);
	}
}

struct grid
option_ranges(const char *option, const char *text, int min, int max)
{
	struct grid g = grid_new(1, each_range(option, text, min, max, NULL));

	each_range(option, text, min, max, g.at);
	return g;
}

static int
each_number(const char *option, const char *text, bool megabytes, double min, double max, double *into)
{
	char *at = (char *)text;

	for (int n = 0;;) {
		double x = number(option, at, text, &at, megabytes, min, max);

		if (into != NULL)
			into[n] = x;
		n++;
		if (*at == '\0')
			return n;
		if (*at++ != ',')
			errx(STATUS_USAGE, "%s: not a number or list of numbers%s '%s'", option,
			    megabytes ? UNITS : "", text);
	}
}

/* Parse one number, or several separated by commas. */
static struct list
list_of(const char *option, const char *text, bool megabytes, double min, double max)
{
	struct list l = list_new(each_number(option, text, megabytes, min, max, NULL));

	each_number(option, text, megabytes, min, max, l.at);
	return l;
}

int
option_choice(const char *option, const char *text, const char *const names[])
{
	int i = 0;

	while (names[i] != NULL && strcmp(names[i], text) != 0)
		i++;
	if (names[i] != NULL)
		return i;
	errx(STATUS_USAGE, "%s: unknown '%s'; known:%s", option, text, spelling_known(text, names));
}

bool option_verbose;
static const char *usage;
static int form;
enum { FORM_BY_TERMINAL, FORM_JSON, FORM_REPORT };

static bool help, version;
static const struct option_row common[] = {
	{ "h", NULL, "this", .flag = &help },
	{ "V", NULL, "the version", .flag = &version },
	{ "v", NULL, "print more on standard error", .flag = &option_verbose },
	{ "j", NULL, "print records, even on a terminal", .choice = &form, .value = FORM_JSON },
	{ "H", NULL, "print a report for people, even into a file or pipe", .choice = &form,
		.value = FORM_REPORT },
	{ "help", NULL, NULL, .flag = &help },
	{ "version", NULL, NULL, .flag = &version },
};
enum { COMMON = sizeof common / sizeof common[0] };

static void
say_usage(FILE *out)
{
	fprintf(out, "%s%s -h: a line for each option\n", usage, program_invocation_short_name);
}

void
option_usage(const char *fmt, ...)
{
	va_list ap;

	fprintf(stderr, "%s: ", program_invocation_short_name);
	va_start(ap, fmt);
	vfprintf(stderr, fmt, ap);
	va_end(ap);
	putc('\n', stderr);
	say_usage(stderr);
	exit(STATUS_USAGE);
}

/* Print the line of an option; two lines if its form is long. */
static void
say_help(const struct option_row *row)
{
	enum { WIDTH = 24 };

	printf("%s\n", usage);
	for (; row->name != NULL; row++) {
		int used;

		if (row->what == NULL)
			continue;
		used = printf("  -%s%s%s", row->name, row->argument != NULL ? " " : "",
		    row->argument != NULL ? row->argument : "");
		if (used >= WIDTH)
			used = printf("\n") - 1;
		printf("%*s%s\n", WIDTH - used, "", row->what);
	}
	printf("\nMore: man %s\n", program_invocation_short_name);
}

/* Return the index in TEXT of WORD, of LENGTH letters, as a whole word, ignoring case; -1: absent. */
static int
word_at(const char *text, const char *word, size_t length)
{
	for (const char *at = text; at != NULL && *at != '\0'; at++)
		if ((at == text || !isalpha((unsigned char)at[-1])) && strncasecmp(at, word, length) == 0 &&
		    !isalpha((unsigned char)at[length]))
			return (int)(at - text);
	return -1;
}

/* Store in NAMES the options whose line in -h has the word SAID, or begins with it if FIRST. Return their number. */
static int
described(const struct option_row *row, const char *said, bool first, const char *names[])
{
	size_t length = strlen(said);
	int found = 0;

	for (; row->name != NULL; row++) {
		int argument = word_at(row->argument, said, length), what = word_at(row->what, said, length);

		if (argument == 0 || what == 0 || (!first && (argument > 0 || what > 0)))
			names[found++] = row->name;
	}
	return found;
}

/* Print suggestions for the unknown option ARGUMENT. Return true if the option is known and only lacks its argument. */
static bool
say_meant(const char *argument, const struct option_row *row)
{
	const char *word = argument + strspn(argument, "-"), *near, **names;
	char *said = xstrndup(word, strcspn(word, "="));
	int n = 0, found = 0;
	bool missing = false;	/* a known option lacks its argument */

	for (; row[n].name != NULL; n++)
		missing |= strcmp(row[n].name, said) == 0;
	names = xcalloc((size_t)n + 1, sizeof *names);
	if (strlen(said) > 2 && (found = described(row, said, true, names)) == 0)
		found = described(row, said, false, names);
	near = names[0];
	for (int i = 0; i < n && found == 0; i++)
		names[i] = row[i].name;
	if (found == 0)
		near = spelling_nearest(said, names);
	if (!missing && near != NULL && found < 2)
		warnx("the nearest option is -%s", near);
	if (!missing && found > 1) {
		fprintf(stderr, "%s: options about '%s':", program_invocation_short_name, said);
		for (int i = 0; i < found; i++)
			fprintf(stderr, " -%s", names[i]);
		putc('\n', stderr);
	}
	free(names);
	free(said);
	return missing;
}

static void
take(const struct option_row *o, char *argument)
{
	char *option = xasprintf("-%s", o->name);

	if (o->flag != NULL)
		*o->flag = true;
	else if (o->text != NULL)
		*o->text = argument;
	else if (o->texts != NULL)
		texts_add(o->texts, argument);
	else if (o->whole != NULL)
		*o->whole = option_int(option, argument, (int)o->min, (int)o->max);
	else if (o->real != NULL)
		*o->real = (o->megabytes ? option_megabytes : option_real)(option, argument, o->min, o->max);
	else if (o->choice != NULL)
		*(int *)o->choice = o->argument != NULL ? option_choice(option, argument, o->names) : o->value;
	for (char *word; o->marks != NULL && (word = strsep(&argument, ",")) != NULL;)
		o->marks[option_choice(option, word, o->names)] = true;
	if (o->take != NULL)
		o->take(o->into, option, argument);
	if (o->ranges != NULL) {
		free(o->ranges->at);
		*o->ranges = option_ranges(option, argument, (int)o->min, (int)o->max);
	}
	if (o->list != NULL) {
		free(o->list->at);
		*o->list = list_of(option, argument, o->megabytes, o->min, o->max);
	}
	free(option);
}

char **
options_take(int argc, char *argv[], const char *forms, const struct option_row *own)
{
	struct option_row *all;
	struct option *table;
	enum { FIRST = 0x1000 };	/* above all return values of getopt */
	int n = 0, ch;

	usage = forms;
	while (own[n].name != NULL)
		n++;
	all = xcalloc((size_t)n + COMMON + 1, sizeof *all);
	table = xcalloc((size_t)n + COMMON + 1, sizeof *table);
	memcpy(all, own, (size_t)n * sizeof *all);
	memcpy(all + n, common, sizeof common);
	for (int i = 0; i < n + COMMON; i++)
		table[i] = (struct option){ .name = all[i].name, .val = FIRST + i,
			.has_arg = all[i].argument != NULL ? required_argument : no_argument };
	while ((ch = getopt_long_only(argc, argv, "", table, NULL)) != -1) {
		if (ch == '?') {
			if (say_meant(argv[optind - 1], all))
				fprintf(stderr, "%s -h: a line for each option\n", program_invocation_short_name);
			else
				say_usage(stderr);
			exit(STATUS_USAGE);
		}
		take(&all[ch - FIRST], optarg);
		if (help)
			say_help(all);
		if (version)
			printf("%s %s\n", program_invocation_short_name, VERSION);
		if (help || version) {
			stdout_close();
			exit(STATUS_ANSWERED);
		}
	}
	free(all);
	free(table);
	return argv + optind;
}

bool
option_json(void)
{
	return form == FORM_JSON;
}

bool
option_report(void)
{
	return form == FORM_REPORT || (form == FORM_BY_TERMINAL && isatty(STDOUT_FILENO));
}
