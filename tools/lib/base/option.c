/* Command lines: numbers with a range, and the options every tool has. */
#include "option.h"

#include <err.h>
#include <errno.h>
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

bool option_verbose;
static enum { FORM_BY_TERMINAL, FORM_JSON, FORM_REPORT } form;

static void
say_usage(FILE *out, const char *usage)
{
	fprintf(out, "%s%s -h: a line for each option\n", usage, program_invocation_short_name);
}

void
option_usage(const char *usage, const char *fmt, ...)
{
	va_list ap;

	fprintf(stderr, "%s: ", program_invocation_short_name);
	va_start(ap, fmt);
	vfprintf(stderr, fmt, ap);
	va_end(ap);
	putc('\n', stderr);
	say_usage(stderr, usage);
	exit(STATUS_USAGE);
}

/* A line for each option; where its form is long, what it does is below. */
static void
say_help(const char *usage, const struct option_row *row)
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

/* The option that ARGUMENT, which is none, may be meant to be. */
static void
say_meant(const char *argument, const struct option_row *row)
{
	const char **names, *near;
	char *word = xstrndup(argument, strcspn(argument, "="));
	int n = 0;

	while (row[n].name != NULL)
		n++;
	names = xcalloc((size_t)n + 1, sizeof *names);
	for (int i = 0; i < n; i++)
		names[i] = row[i].name;
	near = spelling_nearest(word + strspn(word, "-"), names);
	if (near != NULL && strcmp(near, word + strspn(word, "-")) != 0)
		warnx("the nearest option is -%s", near);
	free(names);
	free(word);
}

/* The table as getopt takes it, which keeps it for as long as there are options. */
static const struct option *
getopt_table(const struct option_row *row)
{
	static struct option *table;
	int n = 0;

	if (table != NULL)
		return table;
	while (row[n].name != NULL)
		n++;
	table = xcalloc((size_t)n + 1, sizeof *table);
	for (int i = 0; i < n; i++)
		table[i] = (struct option){ .name = row[i].name,
			.has_arg = row[i].argument != NULL ? required_argument : no_argument, .val = row[i].value };
	return table;
}

int
option_next(int argc, char *argv[], const char *usage, const struct option_row *own)
{
	int ch;

	while ((ch = getopt_long_only(argc, argv, "", getopt_table(own), NULL)) != -1)
		switch (ch) {
		case OPTION_HELP:
			say_help(usage, own);
			stdout_close();
			exit(STATUS_ANSWERED);
		case OPTION_VERSION:
			printf("%s %s\n", program_invocation_short_name, VERSION);
			stdout_close();
			exit(STATUS_ANSWERED);
		case OPTION_VERBOSE:
			option_verbose = true;
			break;
		case OPTION_JSON:
			form = FORM_JSON;
			break;
		case OPTION_REPORT:
			form = FORM_REPORT;
			break;
		case '?':
			say_meant(argv[optind - 1], own);
			say_usage(stderr, usage);
			exit(STATUS_USAGE);
		default:
			return ch;
		}
	return -1;
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

/* A number at the start of TEXT; *END is set behind it. */
static double
number(const char *option, const char *text, const char *whole, char **end, double min, double max)
{
	double x;

	errno = 0;
	x = strtod(text, end);
	/* strtod() also takes blanks before it, hexadecimal, infinity and NaN. */
	if (*end == text || text[strspn(text, "+-.0123456789eE")] == 'x' || !strchr("+-.0123456789", *text) ||
	    !isfinite(x))
		errx(STATUS_USAGE, "%s: not a number '%s'", option, whole);
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
	/* Blanks before it are no part of it; a list or range may go on behind it. */
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

double
option_real(const char *option, const char *text, double min, double max)
{
	char *end;
	double x = number(option, text, text, &end, min, max);

	if (*end != '\0')
		errx(STATUS_USAGE, "%s: not a number '%s'", option, text);
	return x;
}

/* Go through TEXT; count its numbers, or write them too when INTO is not NULL. */
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
each_number(const char *option, const char *text, double min, double max, double *into)
{
	char *at = (char *)text;

	for (int n = 0;;) {
		double x = number(option, at, text, &at, min, max);

		if (into != NULL)
			into[n] = x;
		n++;
		if (*at == '\0')
			return n;
		if (*at++ != ',')
			errx(STATUS_USAGE, "%s: not a number or list of numbers '%s'", option, text);
	}
}

struct list
option_list(const char *option, const char *text, double min, double max)
{
	struct list l = list_new(each_number(option, text, min, max, NULL));

	each_number(option, text, min, max, l.at);
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
